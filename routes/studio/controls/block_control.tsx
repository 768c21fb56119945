/**
 * The control of block fields and of a document's block tree: rows of different kinds, each kind with
 * a template that the page carries once.
 *
 * @module
 */
import type { Json } from "../../../kv/model/entity.ts";
import { Icon } from "../components/icon.tsx";
import type { ControlProps, Surroundings } from "./control_props.ts";
import { Row } from "./nested_control.tsx";

/** A list of blocks. */
export function BlockControl({ field, value, id, surroundings }: ControlProps) {
  const { allowed } = field.options;
  const blocks = Array.isArray(value) ? value : [];
  const kinds = surroundings.blocks.filter(({ name }) => allowed?.includes(name) ?? true);
  return (
    <div class="rows-control" data-rows>
      <ol class="row-list" data-row-list>
        {blocks.map((block, place) => (
          <BlockRow block={block} id={`${id}-${place}`} surroundings={surroundings} />
        ))}
      </ol>
      {!surroundings.readOnly && (kinds.length === 0
        ? <p class="help">There are no kinds of blocks yet. Define one under Structure, Blocks.</p>
        : (
          <div class="row">
            <button type="button" class="button small" id={id} popovertarget={`${id}-kinds`}>
              <Icon name="plus" /> Add a block
            </button>
            <div class="kinds" id={`${id}-kinds`} popover="auto">
              {kinds.map(({ name, label }) => (
                <button type="button" class="menu-entry" data-add-block={name}>{label}</button>
              ))}
            </div>
          </div>
        ))}
    </div>
  );
}

function BlockRow(
  { block, id, surroundings }: { block: Json; id: string; surroundings: Surroundings },
) {
  const { type, id: blockId, data } = (block ?? {}) as Record<string, Json>;
  const fields = typeof type === "string" ? surroundings.blockFields(type) : undefined;
  const { readOnly } = surroundings;
  if (fields === undefined) {
    const raw = JSON.stringify(block);
    return (
      <Row title={`Unknown block ${String(type)}`} raw={raw} readOnly={readOnly}>
        <p class="muted">
          Its kind was removed. It is kept as it is, and left out where the site is rendered.
        </p>
      </Row>
    );
  }
  const title = surroundings.blocks.find(({ name }) => name === type)?.label ?? String(type);
  return (
    <Row title={title} type={String(type)} blockId={String(blockId ?? "")} readOnly={readOnly}>
      {surroundings.draw(fields, data ?? {}, id, surroundings)}
    </Row>
  );
}

/** One template per kind of block, for the rows that are added. */
export function BlockTemplates({ surroundings }: { surroundings: Surroundings }) {
  return surroundings.blocks.map(({ name, label }) => (
    <template data-block-template={name}>
      <Row title={label} type={name} blockId="" readOnly={false}>
        {surroundings.draw(
          surroundings.blockFields(name) ?? [],
          {},
          `block-${name}`,
          surroundings,
        )}
      </Row>
    </template>
  ));
}
