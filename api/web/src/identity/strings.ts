/** Every text of the page on which is told who is who. */

import { say, under } from "../shared/page-language";

export const words = under("identity", {
  alike: (seconds: number) => say("identity.alike", { seconds }),
  is: (place: string, name: string) => say("identity.is", { place, name }),
  where: (name: string, seconds: number) => say("identity.where", { name, seconds }),
  nowhere: (name: string) => say("identity.nowhere", { name }),
});
