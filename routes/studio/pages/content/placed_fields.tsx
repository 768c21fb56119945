/**
 * The fields of a document by their placement: on tabs, where ungrouped fields come before groups, and in the
 * sidebar.
 *
 * @module
 */
import type { Child } from "@hono/hono/jsx";
import type { NestedField } from "../../../../kv/model/fields/field_definition.ts";
import { TabList, TabPanel } from "../../components/navigation/tab_list.tsx";
import { Control } from "../../controls/control.tsx";
import type { DocumentFormProps } from "./document_form.tsx";

/** Props of what shows some of the fields. */
type SomeFields = DocumentFormProps & { fields: readonly NestedField[] };

/** The label of the first tab if there are others. */
const FIRST_TAB = "Content";

/** The fields that are not in the sidebar. */
function middleFields({ collection }: DocumentFormProps): NestedField[] {
  return collection.fields.filter(({ options }) => options.side !== true);
}

/**
 * The fields in the middle. If any field has a tab, they are shown on tabs; `children`, the page blocks, are on
 * the first tab with the fields without one.
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
        names={[FIRST_TAB, ...others.map(([name = ""]) => name)]}
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

/** The groups under their headings, with links if there are several. */
function FieldGroups({ fields, tab, ...props }: SomeFields & { tab: number }) {
  const placed = fields.filter(({ options }) => options.group);
  const groups = [...Map.groupBy(placed, ({ options }) => options.group ?? "")];
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

/** The fields in the sidebar. */
export function SideFields(props: DocumentFormProps) {
  const fields = props.collection.fields.filter(({ options }) => options.side === true);
  if (fields.length === 0) return null;
  return (
    <section class="card side-fields" aria-label="More fields">
      <PlacedFields {...props} fields={fields} />
    </section>
  );
}
