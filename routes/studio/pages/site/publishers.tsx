/**
 * The trusted publishers: their keys with validity. They are one setting, so every change is a version.
 *
 * @module
 */
import type { PublisherKey } from "../../../../jobs/packages/verify_package.ts";
import { ID_CHARS_MAX, NAME_CHARS_MAX } from "../../../../kv/limits/content.ts";
import type { PackageState } from "../../../../kv/model/entities/package.ts";
import { listPackages } from "../../../../kv/packages/packages.ts";
import type { Deps } from "../../../deps/deps.ts";
import { ApiForm } from "../../components/forms/api_form.tsx";
import { Field } from "../../components/forms/field.tsx";
import { Time } from "../../components/time.tsx";
import { page } from "../../serving/page.tsx";
import type { Visit } from "../../serving/studio_env.ts";
import { Button } from "../../components/button.tsx";
import { EmptyState } from "../../components/empty_state.tsx";
import type { Handlers } from "../../screens.ts";

/** `/publishers`. */
export function publisherScreens({ content: { context }, settings }: Deps): Handlers<"publishers"> {
  return {
    publishers: async (c) => {
      const visit = c.get("visit");
      const keys = await settings.get<PublisherKey[]>("packages.publishers");
      const [themes, plugins] = await Promise.all([
        listPackages(context, "theme"),
        listPackages(context, "plugin"),
      ]);
      const canChange = visit.can("settings.write");
      const facts = {
        title: "Publishers",
        crumbs: [{ label: "Plugins", href: "/admin/plugins" }],
        intro: "Only packages signed with one of these keys can be installed.",
      };
      return await page(
        c,
        facts,
        <div class="stack">
          <KeyList
            keys={keys}
            packages={[...themes, ...plugins]}
            visit={visit}
            canChange={canChange}
          />
          {canChange && <KeyForm now={visit.now} />}
        </div>,
      );
    },
  };
}

type Validity = readonly [label: string, badge: "good" | "warn" | "bad"];

/** Whether a key is believed now. */
function validityOf({ revoked, from, until }: PublisherKey, now: number): Validity {
  if (revoked) return ["Revoked", "bad"];
  if (now < from) return ["Not valid yet", "warn"];
  return until !== null && now > until ? ["Expired", "bad"] : ["Valid", "good"];
}

function KeyList(
  { keys, packages, visit, canChange }: {
    keys: PublisherKey[];
    packages: PackageState[];
    visit: Visit;
    canChange: boolean;
  },
) {
  if (keys.length === 0) {
    return (
      <EmptyState icon="key" title="No publishers yet">
        <p>
          Trust a publisher's key before you install packages. <code>deno task package</code>{" "}
          creates a key and signs your own packages with it.
        </p>
      </EmptyState>
    );
  }
  return (
    <ul class="cards">
      {keys.map((key) => (
        <KeyCard
          key={key.id}
          publisher={key}
          installed={packages.filter(({ publisher }) => publisher === key.id)}
          visit={visit}
          canChange={canChange}
        />
      ))}
    </ul>
  );
}

function KeyCard(
  { publisher, installed, visit, canChange }: {
    publisher: PublisherKey;
    installed: PackageState[];
    visit: Visit;
    canChange: boolean;
  },
) {
  const { id, label, prefix, publicKey, from, until, revoked } = publisher;
  const [state, badge] = validityOf(publisher, visit.now);
  return (
    <li class="card" data-publisher={id}>
      <div class="spread">
        <h2>{label || id}</h2>
        <span class={`badge ${badge}`}>{state}</span>
      </div>
      <p class="small">
        Can sign <code>{prefix}*</code>
      </p>
      <p class="muted small">
        {"From "}
        <Time at={from} clock={visit} />
        {until === null ? ", no expiry" : (
          <>
            {" until "}
            <Time at={until} clock={visit} />
          </>
        )}
      </p>
      <p class="muted small key-text">
        <code>{id}</code> · <code>{publicKey}</code>
      </p>
      {installed.length > 0 && (
        <p class="small">{`Installed: ${installed.map(({ name }) => name).join(", ")}.`}</p>
      )}
      {canChange && (
        <p class="row">
          <Button
            variant={revoked ? "plain" : "danger"}
            size="small"
            data-publisher-change={revoked ? "trust" : "revoke"}
            data-publisher-id={id}
          >
            {revoked ? "Trust again" : "Revoke"}
          </Button>
        </p>
      )}
    </li>
  );
}

/** A key is valid from now on, by the service's clock. */
function KeyForm({ now }: { now: number }) {
  return (
    <section class="card" data-island="publishers" data-now={now}>
      <h2>Trust another key</h2>
      <p class="muted">
        Verify the key with its publisher through a second channel before you trust it. If a
        publisher changes keys, add the new key first and revoke the old one later.
      </p>
      <ApiForm to="PATCH /api/admin/settings" class="narrow">
        <Field label="Name" name="label" required maxlength={NAME_CHARS_MAX} />
        <Field
          label="Key ID"
          name="id"
          required
          mono
          maxlength={ID_CHARS_MAX}
          help="The ID in front of the signature, such as acme-2026."
        />
        <Field
          label="Public key"
          name="publicKey"
          required
          mono
          help="Ed25519, 32 bytes as base64: 44 characters."
        />
        <Field
          label="Can sign packages whose ID starts with"
          name="prefix"
          required
          mono
          placeholder="com.acme."
          help="Must end with a dot."
        />
        <Field
          label="Valid until"
          name="until"
          type="datetime-local"
          help="In your time zone. If empty, the key is valid until you revoke it."
        />
        <Button type="submit" variant="primary">Trust this key</Button>
      </ApiForm>
    </section>
  );
}
