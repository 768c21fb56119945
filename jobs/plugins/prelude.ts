/**
 * The global `cms` object of plugins, built on one host function that takes and returns JSON. A plugin may
 * change its own globals; no change reaches another call.
 *
 * @module
 */

/** Evaluates to a function that takes the host function and returns the one that calls the plugin. */
export const PRELUDE = `(host) => {
  "use strict";
  const { parse, stringify } = JSON;
  const ask = async (name, argument) => parse(await host(name, stringify(argument ?? null)));
  const cms = Object.freeze({
    log: (...parts) =>
      ask("log", parts.map((part) => typeof part === "string" ? part : stringify(part)).join(" ")),
    content: Object.freeze({
      get: (id) => ask("content.get", { id }),
      list: (collection, options) => ask("content.list", { ...options, collection }),
      create: (collection, body) => ask("content.create", { collection, body }),
      update: (id, body) => ask("content.update", { id, body }),
    }),
    media: Object.freeze({
      get: (id) => ask("media.get", { id }),
      list: (options) => ask("media.list", { ...options }),
      bytes: (id, options) => ask("media.bytes", { ...options, id }),
    }),
    settings: Object.freeze({ get: () => ask("settings.get") }),
    mail: Object.freeze({ send: (mail) => ask("mail.send", mail) }),
    fetch: (url, options) => ask("net.fetch", { ...options, url }),
  });
  globalThis.cms = cms;
  return async (module, event, input) => {
    const hooks = (await module).default;
    const hook = typeof hooks === "function" ? hooks : hooks?.[event];
    if (typeof hook !== "function") throw new TypeError("plugin.js exports nothing for " + event);
    return stringify(await hook.call(hooks, parse(input), cms)) ?? "null";
  };
}`;
