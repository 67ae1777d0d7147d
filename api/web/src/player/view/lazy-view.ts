/** Lazy views: parts of the page that most who open it never see, loaded when one is first shown. */

import { knowLaterMessages } from "../../shared/language";
import type { Actions } from "../actions";

/** What gives the module once it is loaded, and null until then; the page is drawn anew when it is there. */
export function lazyView<Module>(load: () => Promise<Module>): (actions: Actions) => Module | null {
  let loaded: Module | null = null;
  let isLoading = false;
  return (actions) => {
    if (loaded === null && !isLoading) {
      isLoading = true;
      void Promise.all([load(), knowLaterMessages()])
        .then(([module]) => (loaded = module), () => null) // the line is down: the next drawing tries again
        .then(() => {
          isLoading = false;
          if (loaded !== null) actions.redraw();
        });
    }
    return loaded;
  };
}
