/** Drawings of the tools that are not asking, loaded together when the first of them is used. */

export { ghost, ghostTag } from "./ghost";
export { drawing } from "./outline-editor";
export { templateShape } from "./template-shape";
export { unitPath } from "./unit-path";
export { wheelHandles } from "./wheel-handles";
