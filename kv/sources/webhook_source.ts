/**
 * The webhooks of a site, from the same snapshot as its schema.
 *
 * @module
 */
import { schemaKey } from "../keys.ts";
import type { Schema } from "../model/entities/collection.ts";
import type { WebhookState } from "../model/entities/webhook.ts";
import type { SchemaSource } from "./schema_source.ts";

/** The webhooks as the store has them. */
export class WebhookSource {
  readonly #schema: SchemaSource;

  constructor(schema: SchemaSource) {
    this.#schema = schema;
  }

  /** All webhooks now, oldest first. */
  current(): Promise<readonly WebhookState[]> {
    return this.#schema.webhooks();
  }

  /** Whether a write that was decided by this schema, or a newer one, has any receiver. */
  async isAnyEnabled({ stamp }: Schema): Promise<boolean> {
    const entry = { key: schemaKey, value: null, versionstamp: stamp };
    return (await this.#schema.webhooksAt(entry)).some(({ enabled }) => enabled);
  }
}
