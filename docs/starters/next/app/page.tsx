import { newest } from "../content";

export const metadata = { title: "Newest" };

export default async function Home(
  { searchParams }: { searchParams: Promise<{ cursor?: string }> },
) {
  const { posts, older } = await newest((await searchParams).cursor ?? "");
  return (
    <>
      <h1>Newest</h1>
      <ul>
        {posts.map(({ slug, title }) => (
          <li key={slug}>
            <a href={`/posts/${slug}`}>{title}</a>
          </li>
        ))}
      </ul>
      {older && <a href={`/?cursor=${encodeURIComponent(older)}`}>Older</a>}
    </>
  );
}
