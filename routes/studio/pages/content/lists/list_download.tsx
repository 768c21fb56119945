/**
 * Downloads of all documents of a list, with its filters.
 *
 * @module
 */
import { LIST_FORMATS } from "../../../../query/projection.ts";
import { IconButton } from "../../../components/button.tsx";
import { Menu, MenuLink } from "../../../components/overlays/menu.tsx";

/** The menu of formats; `query` is that of the admin API. */
export function ListDownload({ query }: { query: URLSearchParams }) {
  return (
    <>
      <IconButton icon="download" label="Download" popovertarget="list-download" />
      <Menu id="list-download">
        {LIST_FORMATS.map((format) => (
          <MenuLink href={`/api/admin/documents?${query}&format=${format}`} download>
            {format.toUpperCase()}
          </MenuLink>
        ))}
      </Menu>
    </>
  );
}
