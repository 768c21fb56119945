/**
 * Changes that formats make to the plan that follows from the shapes of their rows.
 *
 * @module
 */
import { REFERENCES_MAX } from "../../../kv/limits/content.ts";
import {
  type Plan,
  type PlanCollection,
  type PlanField,
  targetSlug,
} from "../../../kv/model/transfers/plan.ts";
import { ownValue } from "../../../kv/model/primitives/own_value.ts";
import { TRANSFER_HOSTS_MAX } from "../../../kv/limits/transfers.ts";
import type { SourceFacts } from "./format.ts";
import type { Shape } from "../mapping/shape.ts";
import type { SourceAsset } from "../run/transfer_facts.ts";

/** What is known of a field; null leaves it out. */
export type KnownField = Partial<Omit<PlanField, "from">> | null;

/** A collection whose fields are what its format says. */
export function withFields(
  collection: PlanCollection,
  known: Readonly<Record<string, KnownField>>,
): PlanCollection {
  const fields = collection.fields.flatMap((field): PlanField[] => {
    const change = ownValue(known, field.from);
    if (change === null) return [];
    if (change === undefined) return [field];
    const { convert: _, ...rest } = field;
    return [{ ...rest, options: {}, ...change }];
  });
  return { ...collection, fields };
}

/** A collection without the fields that no row has a value for. */
export function withoutEmpty(collection: PlanCollection, shape: Shape | undefined): PlanCollection {
  const fields = collection.fields.filter(({ from }) => shape?.fields.get(from)?.values !== 0);
  return { ...collection, fields };
}

/** A plan whose authors are the rows of the kind `authors`. */
export function withAuthors(plan: Plan): Plan {
  const collection = slugOfSource(plan, "authors") ?? null;
  return { ...plan, authors: { collection, mapping: {} } };
}

/** The slug of the collection that a kind of rows becomes. */
export function slugOfSource({ collections }: Plan, source: string): string | undefined {
  const collection = collections.find((one) => one.source === source);
  return collection === undefined ? undefined : targetSlug(collection);
}

/** The slugs of the collections that some kinds of rows become. */
export function slugsOfSources(plan: Plan, sources: readonly string[]): string[] {
  return sources.flatMap((source) => slugOfSource(plan, source) ?? []);
}

/** The options of a reference to documents of some collections: a reference names one collection, or allows all. */
export function onlyCollection(slugs: readonly string[]): PlanField["options"] {
  const [only] = slugs;
  return slugs.length === 1 && only !== undefined ? { collection: only } : {};
}

/** The hosts that assets are at. */
export function hostsOf(assets: Readonly<Record<string, SourceAsset>>): Set<string> {
  const hosts = Object.values(assets).map(({ url = "" }) => URL.parse(url)?.host ?? "");
  return new Set(hosts.filter((host) => host !== ""));
}

/** A plan with the hosts of the source's assets. */
export function withAssetHosts(plan: Plan, { assets }: SourceFacts): Plan {
  const own = hostsOf((assets ?? {}) as Record<string, SourceAsset>);
  const hosts = new Set(plan.media.hosts).union(own);
  return { ...plan, media: { ...plan.media, hosts: [...hosts].slice(0, TRANSFER_HOSTS_MAX) } };
}

/** A reference to the documents of a kind of rows; undefined if there are none. */
export function referenceTo(plan: Plan, source: string): KnownField | undefined {
  const collection = slugOfSource(plan, source);
  return collection === undefined ? undefined : { type: "reference", options: { collection } };
}

/** References to several documents of a kind of rows. */
export function referencesTo(plan: Plan, source: string): KnownField | undefined {
  const collection = slugOfSource(plan, source);
  if (collection === undefined) return undefined;
  return { type: "references", options: { collections: [collection], maxItems: REFERENCES_MAX } };
}

/** The entries that are defined. */
export function defined(
  known: Readonly<Record<string, KnownField | undefined>>,
): Record<string, KnownField> {
  const entries = Object.entries(known).flatMap(([name, field]): [string, KnownField][] =>
    field === undefined ? [] : [[name, field]]
  );
  return Object.fromEntries(entries);
}
