/**
 * The site in a design that has not been saved.
 *
 * @module
 */
import type { Context } from "../../kv/context.ts";
import type { Json } from "../../kv/model/entities/entity.ts";
import { SETTINGS } from "../../kv/model/entities/setting.ts";
import { siteFacts, type SiteMedium } from "../render/site_facts.ts";
import type { Rendering } from "../render/views/view.ts";
import { findMediumFacts } from "./page_lookup.ts";

/** The settings that are the design of a site. */
const DESIGN_SETTINGS = [
  "site.logo",
  "site.accent",
  "site.font",
  "site.menu",
  "site.image",
] as const;

/**
 * The rendering data under other design settings. Settings that are omitted or invalid (for example while the
 * user is typing) keep the value in `saved`.
 */
export async function withDesign(
  context: Context,
  rendering: Rendering,
  saved: Record<string, unknown>,
  given: Record<string, Json>,
): Promise<Rendering> {
  const { look: _look, menu: _menu, logo: _logo, image: _image, ...others } = rendering.site;
  const values = Object.fromEntries(DESIGN_SETTINGS.map((key) => {
    const isValid = Object.hasOwn(given, key) &&
      SETTINGS[key]?.schema.safeParse(given[key]).success;
    return [key, isValid ? given[key] : saved[key]];
  }));
  const { look, menu, logo, image } = siteFacts(values);
  const fill = async (medium: SiteMedium): Promise<SiteMedium> => {
    const facts = await findMediumFacts(context, medium.id);
    return { id: medium.id, ...(facts !== null && { medium: facts }) };
  };
  return {
    ...rendering,
    site: {
      ...others,
      ...(look && { look }),
      ...(menu && { menu }),
      ...(logo && { logo: await fill(logo) }),
      ...(image && { image: await fill(image) }),
    },
  };
}
