/**
 * Every component in every state on one page, for developers of the studio. Only in development.
 *
 * @module
 */
import type { Child } from "@hono/hono/jsx";
import { JOB_STATES } from "../../../../kv/jobs/job.ts";
import { STATUSES } from "../../../../kv/model/entities/document.ts";
import { Refusal } from "../../../../kv/refusals.ts";
import type { Deps } from "../../../deps/deps.ts";
import { Avatar } from "../../components/avatar.tsx";
import { Button, ButtonLink, type ButtonVariant, IconButton } from "../../components/button.tsx";
import { Dialog, DialogFoot } from "../../components/overlays/dialog.tsx";
import { EmptyState } from "../../components/empty_state.tsx";
import { Checkbox, Field, Select } from "../../components/forms/field.tsx";
import { FieldDiff } from "../../components/comparison/field_diff.tsx";
import { Icon } from "../../components/icon.tsx";
import { ICON_NAMES, type IconName } from "../../components/icon_names.ts";
import { Menu, MenuButton, MenuLink } from "../../components/overlays/menu.tsx";
import { Pagination } from "../../components/navigation/pagination.tsx";
import { JobBadge, StatusBadge } from "../../components/status.tsx";
import { Table } from "../../components/table.tsx";
import { Tabs } from "../../components/navigation/tabs.tsx";
import { ValueList } from "../../components/forms/value_list.tsx";
import { monthAfter } from "../../wording/days.ts";
import { page } from "../../serving/page.tsx";
import type { Handlers } from "../../screens.ts";

const VARIANTS: ButtonVariant[] = ["plain", "primary", "quiet", "danger", "danger primary"];
const MOODS = ["", "info", "good", "warn", "bad"] as const;
const MONTHS = Array.from({ length: 24 }, (_, index) => monthAfter("2026-01", index));
const TWO_LINES = "Two lines\nof text";
const TEXTS = ["1", "2", "3", "4", "5", "6", "7"] as const;

/** `/components`. */
export function componentScreens(
  { development }: Pick<Deps, "development">,
): Handlers<"components"> {
  return {
    components: (c) => {
      if (!development) throw new Refusal("NOT_FOUND");
      return page(
        c,
        { title: "Components", intro: "Every component, in every state.", wide: true },
        <div class="stack">
          <Type />
          <Buttons />
          <Fields />
          <Marks />
          <Overlays />
          <Lists />
          <Icons />
        </div>,
      );
    },
  };
}

function Section({ name, children }: { name: string; children: Child }) {
  return (
    <section class="card">
      <h2>{name}</h2>
      <div class="stack">{children}</div>
    </section>
  );
}

function Type() {
  return (
    <Section name="Type">
      <div>
        {TEXTS.map((size) => (
          <p class={`text-${size}`}>{`Size ${size}: the lamp is lit before the sun has gone`}</p>
        ))}
      </div>
      <p>
        Normal, <b class="weight-medium">medium</b>, <strong>bold</strong>,{" "}
        <a href="#top">a link</a>, <code>code</code>, <kbd>K</kbd>, <span class="muted">muted</span>
      </p>
    </Section>
  );
}

function Buttons() {
  return (
    <Section name="Buttons">
      {VARIANTS.map((variant) => (
        <div class="row">
          <Button variant={variant}>Save</Button>
          <Button variant={variant} icon="plus">New</Button>
          <Button variant={variant} size="small">Small</Button>
          <Button variant={variant} disabled>Disabled</Button>
          <Button variant={variant} aria-busy="true">Busy</Button>
          <ButtonLink variant={variant} href="#top">A link</ButtonLink>
        </div>
      ))}
      <div class="row">
        <IconButton icon="more" label="More" />
        <IconButton icon="trash" label="Delete" disabled />
      </div>
    </Section>
  );
}

function Fields() {
  return (
    <Section name="Fields">
      <div class="columns">
        <Field label="Name" name="name" value="Mary Anning" required help="As it is signed." />
        <Field label="Email" name="email" type="email" placeholder="mary@example.org" />
        <Field label="Disabled" name="disabled" value="Nothing to change" disabled />
        <Field label="URL" name="address" mono value="mary-anning" />
        <Field label="Description" name="description" multiline value={TWO_LINES} />
        <Select
          label="Section"
          name="section"
          value="b"
          choices={[["a", "Weather"], ["b", "Machines"], ["c", "People"]]}
        />
        <Select
          label="A long list"
          name="month"
          choices={MONTHS.map((month) => [month, month])}
        />
        <Field
          label="Date and time"
          name="moment"
          type="datetime-local"
          value="2026-07-01T20:30"
        />
        <div>
          <Checkbox label="Readable through the API" name="a" checked help="At once." />
          <Checkbox label="Disabled" name="b" disabled />
        </div>
        <div class="field">
          <label for="wrong">With an error</label>
          <input
            id="wrong"
            type="text"
            value="ten"
            aria-invalid="true"
            aria-describedby="wrong-e"
          />
          <p class="error" id="wrong-e">Must be a number</p>
        </div>
      </div>
    </Section>
  );
}

function Marks() {
  return (
    <Section name="Badges, people, messages">
      <div class="row">
        {STATUSES.map((status) => <StatusBadge status={status} />)}
        {JOB_STATES.map((state) => <JobBadge state={state} />)}
        <span class="badge">Plain</span>
        <span class="count">12</span>
      </div>
      <div class="row">
        {["a", "b", "c", "d", "e", "f"].map((id) => <Avatar id={id} name={`${id} Lovelace`} />)}
        <Avatar id="a" name="Small" size="small" />
        <Avatar id="b" name="Large One" size="large" />
      </div>
      {MOODS.map((mood) => <p class={`alert ${mood}`}>{`A message that is ${mood || "plain"}.`}
      </p>)}
      <div>
        <FieldDiff
          label="Title"
          before="An old lamp"
          after="A new lamp"
          runs={[
            { kind: "removed", text: "An old" },
            { kind: "added", text: "A new" },
            { kind: "same", text: " lamp" },
          ]}
        />
        <FieldDiff label="Rating" before="3" after="4" runs={null} />
      </div>
      <ValueList value={{ pages: 12, removed: [], redacted: false, names: ["light", "storms"] }} />
    </Section>
  );
}

function Overlays() {
  return (
    <Section name="Dialogs and menus">
      <div class="row">
        <Button data-opens="example-dialog">Open a dialog</Button>
        <Button popovertarget="example-menu">Open a menu</Button>
      </div>
      <Menu id="example-menu" side="start">
        <MenuLink icon="external" href="#top">A link</MenuLink>
        <MenuButton icon="copy">An action</MenuButton>
        <hr />
        <MenuButton icon="trash" danger>A removal</MenuButton>
      </Menu>
      <Dialog id="example-dialog" title="A dialog">
        <Field label="Title" name="example-title" required />
        <DialogFoot>
          <Button data-close>Cancel</Button>
          <Button variant="primary">Save</Button>
        </DialogFoot>
      </Dialog>
      <EmptyState
        title="Nothing here yet"
        actions={<Button variant="primary" icon="plus">Create document</Button>}
      >
        <p>Your work is saved as you type.</p>
      </EmptyState>
    </Section>
  );
}

function Lists() {
  return (
    <Section name="Tabs, tables, pages">
      <Tabs
        label="Example"
        tabs={[
          { label: "All", href: "#top", current: true, count: 12 },
          { label: "Drafts", href: "#top", current: false, count: 3 },
          { label: "Without a count", href: "#top", current: false },
        ]}
      />
      <Table
        head={
          <>
            <th scope="col">Title</th>
            <th scope="col">Status</th>
          </>
        }
      >
        {STATUSES.map((status) => (
          <tr>
            <th scope="row">
              <a href="#top">{`A ${status} document`}</a>
            </th>
            <td>
              <StatusBadge status={status} />
            </td>
          </tr>
        ))}
      </Table>
      <Pagination
        paging={{ page: 2, perPage: 5, total: 12 }}
        hrefOf={() => "#top"}
        what="documents"
      />
    </Section>
  );
}

function Icons() {
  return (
    <Section name="Icons">
      <ul class="icon-list">
        {(Object.keys(ICON_NAMES) as IconName[]).map((name) => (
          <li>
            <Icon name={name} /> <code>{name}</code>
          </li>
        ))}
      </ul>
    </Section>
  );
}
