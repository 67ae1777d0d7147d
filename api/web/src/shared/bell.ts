/** Bell: a judge who is called hears and feels it, and the page's title says how many wait. */

const TONES_HZ = [880, 660];
const TONE_MS = 220;
const VIBRATION_MS = [200, 80, 200];

export class Bell {
  #sound: AudioContext | null = null;
  #waiting: number | null = null;

  /** A browser plays a sound only after a tap: the first one on the page. */
  constructor() {
    addEventListener("pointerdown", () => (this.#sound ??= new AudioContext()), { once: true });
  }

  /** So many wait now; one more rings, who waited when the page was opened does not. */
  tell(waiting: number, title: string): void {
    if (this.#waiting !== null && waiting > this.#waiting) this.#ring();
    this.#waiting = waiting;
    document.title = waiting > 0 ? `(${waiting}) ${title}` : title;
  }

  #ring(): void {
    navigator.vibrate?.(VIBRATION_MS);
    const sound = this.#sound;
    if (sound === null) return;
    TONES_HZ.forEach((frequency, k) => {
      const tone = new OscillatorNode(sound, { frequency, type: "triangle" });
      tone.connect(sound.destination);
      tone.start(sound.currentTime + (k * TONE_MS) / 1000);
      tone.stop(sound.currentTime + ((k + 1) * TONE_MS) / 1000);
    });
  }
}
