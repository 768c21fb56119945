/**
 * The sidebar of a document: URL, times, history.
 *
 * @module
 */
import { SLUG_CHARS_MAX } from "../../../../kv/limits/content.ts";
import type { DocumentState } from "../../../../kv/model/entities/document.ts";
import { exactTime, Time } from "../../components/time.tsx";
import type { DocumentFormProps } from "./document_form.tsx";
import { Button } from "../../components/button.tsx";
import { SideFields } from "./placed_fields.tsx";
import { SearchPanel } from "./search_panel.tsx";
import { WhenCreated } from "../planning/when_created.tsx";

type SideProps = DocumentFormProps & {
  /** The open release that the document is in. */
  release: { id: string; name: string } | undefined;
};

/** The sidebar. */
export function DocumentSide(props: SideProps) {
  const { collection, state, controlContext } = props;
  const isOpen = state === null || state.publishedAt === null;
  return (
    <aside class="editor-side" aria-label="About this document">
      <section class="card">
        <div class="control" data-name="slug" data-type="text">
          <label for="c-slug">URL</label>
          <div class="slug" data-error-after>
            <span class="muted">{`/${collection.slug}/`}</span>
            <input
              id="c-slug"
              type="text"
              class="mono"
              value={String(props.values.slug ?? "")}
              placeholder="from-the-title"
              maxlength={SLUG_CHARS_MAX}
              autocomplete="off"
              readonly={!isOpen}
              disabled={controlContext.readOnly}
              aria-describedby="c-slug-help"
            />
          </div>
          <p class="help" id="c-slug-help">
            {isOpen
              ? "Follows the title until you edit it."
              : "Live. If you change it, the old URL redirects."}
          </p>
          {!isOpen && !controlContext.readOnly && (
            <Button size="small" data-unlock="c-slug">Change</Button>
          )}
        </div>
      </section>
      <SideFields {...props} />
      <SearchPanel visit={props.visit} collection={collection} state={state} />
      {state !== null
        ? <Facts {...props} state={state} />
        : <WhenCreated state={null}>{(id) => <FirstFacts {...props} id={id} />}</WhenCreated>}
    </aside>
  );
}

function Facts(
  { visit, state, version, editor, release }: SideProps & { state: DocumentState },
) {
  return (
    <section class="card">
      <dl class="facts">
        {state.publishAt !== null && (
          <Fact name="Publish on">
            <Time at={state.publishAt} clock={visit} exact />
          </Fact>
        )}
        {release !== undefined && (
          <Fact name="Release">
            <a href={`/admin/releases/${release.id}`}>{release.name}</a>
          </Fact>
        )}
        {state.unpublishAt !== undefined && (
          <Fact name="Unpublish on">
            <Time at={state.unpublishAt} clock={visit} exact />
          </Fact>
        )}
        {state.status === "scheduled" && state.publishAt === null && (
          <Fact name="Publish on">Not set</Fact>
        )}
        <Fact name="Changed">
          <Time at={state.updatedAt} clock={visit} />
          {editor !== null && ` by ${editor}`}
        </Fact>
        {state.publishedAt !== null && (
          <Fact name="First published">
            <Time at={state.publishedAt} clock={visit} />
          </Fact>
        )}
        <Fact name="Created">{exactTime(state.createdAt, visit.timezone)}</Fact>
        <Identity visit={visit} version={version} id={state.id} />
      </dl>
    </section>
  );
}

/** The facts of a document that has just been created. */
function FirstFacts({ visit, id }: DocumentFormProps & { id: string }) {
  return (
    <section class="card">
      <dl class="facts">
        <Identity visit={visit} version={1} id={id} />
      </dl>
    </section>
  );
}

function Identity(
  { visit, version, id }: Pick<DocumentFormProps, "visit" | "version"> & { id: string },
) {
  return (
    <>
      <Fact name="Version">
        <span data-version>{version}</span>
        {visit.can("versions.read") && (
          <>
            {" · "}
            <a href={`/admin/versions/document/${id}`}>History</a>
          </>
        )}
      </Fact>
      <Fact name="ID">
        <code id="document-id">{id}</code>
      </Fact>
    </>
  );
}

// deno-lint-ignore no-explicit-any
function Fact({ name, children }: { name: string; children: any }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
