/** Every text of the page on the projector, in one place. */

import { under } from "../shared/page-language";

export const words = under("projector", {});
