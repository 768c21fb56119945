/**
 * Parts shared by the pages of themes and plugins: facts, earlier versions, removal.
 *
 * @module
 */
import type { Context } from "../../../../kv/context.ts";
import { getKeptState, getVersionRow, listVersions } from "../../../../kv/versioning/versions.ts";
import type { PackageState } from "../../../../kv/model/entities/package.ts";
import { capabilityWords } from "../../wording/capability_words.ts";
import { sizeText } from "../../components/size.ts";
import { Time } from "../../components/time.tsx";
import { Button } from "../../components/button.tsx";
import type { Visit } from "../../serving/studio_env.ts";

/** Versions of the entity that are looked through for versions of the package. */
const VERSIONS_READ = 50;

/** A version of a package that was installed before. */
export interface EarlierPackage {
  versionId: string;
  version: string;
  capabilities: string[];
  at: number;
}

/** The versions that were installed before the present one, newest first. */
export async function earlierPackages(
  context: Context,
  { kind, id, version }: PackageState,
): Promise<EarlierPackage[]> {
  const range = { skip: 0, limit: VERSIONS_READ };
  const { versions } = await listVersions(context, kind, id, range);
  const rows = await Promise.all(versions.map((head) => getVersionRow(context, head.id)));
  const found = new Map<string, EarlierPackage>();
  for (const { row } of rows) {
    const then = await getKeptState(context, kind, id, row);
    if (then === null || then.version === version || found.has(then.version)) continue;
    const { version: thenVersion, capabilities } = then;
    found.set(thenVersion, { versionId: row.vid, version: thenVersion, capabilities, at: row.at });
  }
  return [...found.values()];
}

/** Which package it is, of which size, by whom. */
export function PackageFacts({ state }: { state: PackageState }) {
  return (
    <p class="muted small">
      <code>{state.packageId}</code>
      {` · ${state.version} · ${sizeText(state.archive.bytes)} · by ${state.publisher}`}
    </p>
  );
}

/** The way back to versions that were installed before. */
export function EarlierVersions(
  { state, earlier, visit }: { state: PackageState; earlier: EarlierPackage[]; visit: Visit },
) {
  const history = `/admin/versions/${state.kind}/${state.id}`;
  return (
    <section class="card">
      <h2>Versions</h2>
      <ul class="rows">
        <li>
          <strong>{state.version}</strong>
          <span class="badge good">Installed</span>
        </li>
        {earlier.map(({ versionId, version, capabilities, at }) => (
          <li>
            <strong>{version}</strong>
            <span class="muted when">
              <Time at={at} clock={visit} />
            </span>
            {visit.administrator && (
              <Button
                size="small"
                data-action={`POST /api/admin/versions/${versionId}/restore`}
                data-then="reload"
                data-done={`${state.name} is rolled back to ${version}`}
                data-ask={rollBackQuestion(state, version, capabilities)}
                data-verb="Roll back"
              >
                {`Roll back to ${version}`}
              </Button>
            )}
          </li>
        ))}
      </ul>
      {visit.can("versions.read") && (
        <p class="small">
          <a href={history}>View history</a>
        </p>
      )}
    </section>
  );
}

function rollBackQuestion({ name }: PackageState, version: string, capabilities: string[]): string {
  const rights = capabilities.map((one) => capabilityWords(one)).join("; ");
  return `${name} is rolled back to ${version}, with the permissions accepted then: ${
    rights || "nothing"
  }.`;
}

/** Removing a package. */
export function Removal({ state }: { state: PackageState }) {
  return (
    <section class="card">
      <h2>Remove</h2>
      <p class="muted">
        {state.kind === "plugin" && "Its settings and secrets are deleted. "}
        Its history stays.
      </p>
      <Button
        variant="danger"
        size="small"
        data-action={`DELETE /api/admin/${state.kind}s/${state.id}`}
        data-then={`/admin/${state.kind}s`}
        data-done={`${state.name} is removed`}
        data-ask={`Remove ${state.name}?`}
      >
        Remove
      </Button>
    </section>
  );
}
