/**
 * The fields of a document where their definitions place them: on tabs, on each of them first those of no
 * group, then the groups, with links to each, and some in the column beside.
 *
 * @module
 */
import type { Child } from "@hono/hono/jsx";
import type { NestedField } from "../../../../kv/model/fields/field_definition.ts";
import { TabList, TabPanel } from "../../components/tab_list.tsx";
import { Control } from "../../controls/control.tsx";
import type { DocumentFormProps } from "./document_form.tsx";

/** Props of what shows some of the fields. */
type SomeFields = DocumentFormProps & { fields: readonly NestedField[] };

/** What the first tab is called, where there are others. */
const FIRST_TAB = "Content";

/** Those that do not stand in the column beside the others. */
function middleFields({ collection }: DocumentFormProps): NestedField[] {
  return collection.fields.filter(({ options }) => options.side !== true);
}

/**
 * The fields in the middle. Where some have a tab, there are tabs; `children`, the page's blocks, stand on the
 * first, with the fields that have none.
 */
export function MiddleFields({ children, ...props }: DocumentFormProps & { children: Child }) {
  const tabs = [...Map.groupBy(middleFields(props), ({ options }) => options.tab)];
  const first = tabs.find(([name]) => name === undefined)?.[1] ?? [];
  const others = tabs.filter(([name]) => name !== undefined);
  const firstFields = <TabFields {...props} fields={first} tab={1}>{children}</TabFields>;
  if (others.length === 0) return firstFields;
  return (
    <div class="field-tabs" data-field-tabs>
      <TabList
        label="Parts of the document"
        names={[FIRST_TAB, ...others.map(([name]) => name!)]}
        id="field-tab"
      />
      <TabPanel id="field-tab" n={1}>{firstFields}</TabPanel>
      {others.map(([, fields], index) => (
        <TabPanel id="field-tab" n={index + 2}>
          <TabFields {...props} fields={fields} tab={index + 2} />
        </TabPanel>
      ))}
    </div>
  );
}

function TabFields(
  { fields, tab, children, ...props }: SomeFields & { tab: number; children?: Child },
) {
  return (
    <>
      <PlacedFields {...props} fields={fields.filter(({ options }) => !options.group)} />
      {children}
      <FieldGroups {...props} fields={fields} tab={tab} />
    </>
  );
}

/** Controls of fields, which the browser's code shows while their conditions hold. */
function PlacedFields({ fields, values, controlContext }: SomeFields) {
  return (
    <>
      {fields.map((field) => {
        const { showWhen, showWhenIs } = field.options;
        const control = (
          <Control
            field={field}
            value={values[field.name] ?? null}
            id={`c-${field.name}`}
            controlContext={controlContext}
          />
        );
        if (showWhen === undefined) return control;
        return (
          <div class="conditional" data-show-when={showWhen} data-show-when-is={showWhenIs}>
            {control}
          </div>
        );
      })}
    </>
  );
}

/** The groups, each under its heading, and links that lead to them where there are several. */
function FieldGroups({ fields, tab, ...props }: SomeFields & { tab: number }) {
  const placed = fields.filter(({ options }) => options.group);
  const groups = [...Map.groupBy(placed, ({ options }) => options.group!)];
  const id = (n: number) => `field-group-${tab}-${n + 1}`;
  return (
    <>
      {groups.length > 1 && (
        <nav class="field-group-links" aria-label="Groups of fields">
          {groups.map(([name], n) => <a href={`#${id(n)}`}>{name}</a>)}
        </nav>
      )}
      {groups.map(([name, fields], n) => (
        <section
          class="field-group"
          id={id(n)}
          aria-labelledby={`${id(n)}-name`}
          tabindex={-1}
        >
          <h2 id={`${id(n)}-name`}>{name}</h2>
          <PlacedFields {...props} fields={fields} />
        </section>
      ))}
    </>
  );
}

/** Fields in the column beside the others. */
export function SideFields(props: DocumentFormProps) {
  const fields = props.collection.fields.filter(({ options }) => options.side === true);
  if (fields.length === 0) return null;
  return (
    <section class="card side-fields" aria-label="More fields">
      <PlacedFields {...props} fields={fields} />
    </section>
  );
}
