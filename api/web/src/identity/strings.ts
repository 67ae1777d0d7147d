/** Every text of the page on which is told who is who. */

import { say } from "../shared/page-language";

export const words = {
  get title() { return say("identity.title"); },
  get nothing() { return say("identity.nothing"); },
  get back() { return say("identity.back"); },
  alike: (seconds: number) => say("identity.alike", { seconds }),
  is: (place: string, name: string) => say("identity.is", { place, name }),
  where: (name: string, seconds: number) => say("identity.where", { name, seconds }),
  nowhere: (name: string) => say("identity.nowhere", { name }),
  get places() { return say("identity.places"); },
  get noAnswer() { return say("identity.noAnswer"); },
};
