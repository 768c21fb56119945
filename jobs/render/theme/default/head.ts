/**
 * What every page says of itself, for layouts that ask for it as a template.
 *
 * @module
 */

/** `head.liquid` */
export const HEAD = "{{ page.head }}";
