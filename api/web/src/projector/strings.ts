/** Every text of the page on the projector, in one place. */

import { say } from "../shared/page-language";

export const words = {
  get uncalibrated() { return say("projector.uncalibrated"); },
  get moved() { return say("projector.moved"); },
};
