/** Message tree: the messages of a page by their names, so that only those are declared that need something filled in. */

import { text, words, type MessageKey } from "./language";

/** The messages under one head that need nothing filled in. */
type Under<All extends string, Head extends string> = { readonly [Key in All as Key extends `${Head}.${infer Rest}` ? Rest : never]: string };
type Tree<All extends string, Head extends string, Made> = Omit<Under<All, Head>, keyof Made> & Made;

/** For a page whose messages are `All`: what stands in `made`, else the message of that name under this head. */
export function messageTree<All extends string>() {
  return <Head extends string, Made extends object>(head: Head, made: Made) =>
    new Proxy(made, {
      get: (own, key, receiver) => (key in own ? (Reflect.get(own, key, receiver) as unknown) : text(`${head}.${String(key)}` as MessageKey)),
    }) as Tree<All, Head, Made>;
}

/** The messages `of.key` under their keys, to be looked up by what the server says. */
export function among<Key extends string>(of: string, keys: readonly Key[]): Readonly<Record<string, string> & Record<Key, string>> {
  return words(of, keys);
}
