/**
 * The control of block fields and of a document's block tree: rows of different kinds, each kind with
 * a template that the page carries once.
 *
 * @module
 */
import type { Json } from "../../../kv/model/entities/entity.ts";
import type { ControlContext, ControlProps } from "./control_props.ts";
import { Button } from "../components/button.tsx";
import { Menu, MenuButton } from "../components/overlays/menu.tsx";
import { IMAGE_BLOCK } from "./image_block.ts";
import { Row } from "./nested_control.tsx";

/** A list of blocks. */
export function BlockControl({ field, value, id, controlContext }: ControlProps) {
  const { allowed } = field.options;
  const blocks = Array.isArray(value) ? value : [];
  const kinds = controlContext.blocks.filter(({ name }) => allowed?.includes(name) ?? true);
  return (
    <div class="rows-control" data-rows={field.label}>
      <ol class="row-list" data-row-list>
        {blocks.map((block, index) => (
          <BlockRow block={block} id={`${id}-${index}`} controlContext={controlContext} />
        ))}
      </ol>
      {!controlContext.readOnly && (kinds.length === 0
        ? <p class="help">No blocks are defined yet. Create one in Structure → Blocks.</p>
        : (
          <div class="row">
            <Button
              size="small"
              id={id}
              popovertarget={`${id}-kinds`}
              icon="plus"
              data-add-some
            >
              Add block
            </Button>
            <Menu id={`${id}-kinds`} side="start">
              {kinds.map(({ name, label }) => (
                <MenuButton data-add-block={name}>{label}</MenuButton>
              ))}
            </Menu>
          </div>
        ))}
    </div>
  );
}

function BlockRow(
  { block, id, controlContext }: { block: Json; id: string; controlContext: ControlContext },
) {
  const { type, id: blockId, data } = (block ?? {}) as Record<string, Json>;
  const fields = typeof type === "string" ? controlContext.blockFields(type) : undefined;
  const { readOnly } = controlContext;
  if (fields === undefined) {
    const raw = JSON.stringify(block);
    return (
      <Row title={`Unknown block ${String(type)}`} raw={raw} readOnly={readOnly}>
        <UnknownNote />
      </Row>
    );
  }
  const title = controlContext.blocks.find(({ name }) => name === type)?.label ?? String(type);
  return (
    <Row title={title} type={String(type)} blockId={String(blockId ?? "")} readOnly={readOnly}>
      {controlContext.draw(fields, data ?? {}, id, controlContext)}
    </Row>
  );
}

/** One template per kind of block, for the rows that are added and for blocks in rich text. */
export function BlockTemplates({ controlContext }: { controlContext: ControlContext }) {
  const kinds = controlContext.blocks.map(({ name, label }) => ({
    name,
    label,
    fields: controlContext.blockFields(name) ?? [],
    builtIn: false,
  }));
  const hasOwn = kinds.some(({ name }) => name === IMAGE_BLOCK.name);
  return (
    <>
      {[...(hasOwn ? [] : [{ ...IMAGE_BLOCK, builtIn: true }]), ...kinds].map((kind) => (
        <template
          data-block-template={kind.name}
          data-label={kind.label}
          data-built-in={kind.builtIn ? "" : undefined}
          data-may-upload={kind.builtIn && controlContext.mayUpload ? "" : undefined}
        >
          <Row title={kind.label} type={kind.name} blockId="" readOnly={false}>
            {controlContext.draw(kind.fields, {}, `block-${kind.name}`, controlContext)}
          </Row>
        </template>
      ))}
      {controlContext.embedHosts.length > 0 && (
        <template data-embed-hosts={controlContext.embedHosts.join(" ")}></template>
      )}
      <template data-unknown-block>
        <Row title="Unknown block" raw="null" readOnly={false}>
          <UnknownNote />
        </Row>
      </template>
    </>
  );
}

function UnknownNote() {
  return (
    <p class="muted">
      This block type was removed. The block is kept unchanged but not shown on the site.
    </p>
  );
}
