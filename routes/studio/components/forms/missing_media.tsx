/**
 * Files whose contents are missing, and their upload: after restoring a backup without files, or with another
 * object store.
 *
 * @module
 */
import { MEDIA_BYTES_MAX } from "../../../../kv/limits/media.ts";
import { ALL_MIMES } from "../../../../kv/model/entities/media.ts";
import { Icon } from "../icon.tsx";

/** Filled by the browser code; hidden if no files are missing. */
export function MissingMedia() {
  return (
    <section
      class="card"
      data-island="missing-media"
      data-bytes-max={MEDIA_BYTES_MAX}
      aria-label="Missing images"
      hidden
    >
      <h2 data-heading></h2>
      <p class="muted">
        The library lists these files, but their contents are missing, for example after restoring a
        backup without files. Upload the files or a backup that contains them. Files are matched by
        content first, then by name.
      </p>
      <ul class="plain-list" data-names></ul>
      <div class="row padded">
        <label class="button primary">
          <Icon name="upload" /> Upload files
          <input
            class="sr"
            type="file"
            multiple
            accept={[...ALL_MIMES, ".gz", "application/gzip"].join(",")}
          />
        </label>
        <span class="muted small" data-message role="status"></span>
      </div>
    </section>
  );
}
