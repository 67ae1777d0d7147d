/** Every text of the page on which is told who is who. */

export const words = {
  title: "Who is who?",
  nothing: "Nothing is in doubt.",
  back: "Back to the table",
  alike: (seconds: number) => `These look alike and changed together ${seconds} s into the game.`,
  is: (place: string, name: string) => `${place} is ${name}`,
  places: "The places in question",
  noAnswer: "The table does not answer. Trying again.",
} as const;
