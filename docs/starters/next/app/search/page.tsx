import { search } from "../../content";

export default async function Search({ searchParams }: { searchParams: Promise<{ q?: string }> }) {
  const { q = "" } = await searchParams;
  const posts = await search(q);
  return (
    <>
      <h1>Found for “{q}”</h1>
      <ul>
        {posts.map(({ slug, title, _snippet }) => (
          <li key={slug}>
            <a href={`/posts/${slug}`}>{title}</a>{" "}
            <span dangerouslySetInnerHTML={{ __html: String(_snippet) }} />
          </li>
        ))}
      </ul>
    </>
  );
}
