import { notFound } from "next/navigation";
import Script from "next/script";
import { BODY, preview, STUDIO } from "../../content";

interface Props {
  searchParams: Promise<{ id?: string; token?: string }>;
}

export const metadata = { robots: { index: false } };

/** Setting `preview.url`: https://this.site/preview?token={token}&id={id} */
export default async function Preview({ searchParams }: Props) {
  const { id = "", token = "" } = await searchParams;
  const post = await preview(id, token);
  if (post === null) notFound();
  return (
    <>
      <Script src={`${STUDIO}/preview/client.js`} strategy="beforeInteractive" />
      <h1>{post.title}</h1>
      <div dangerouslySetInnerHTML={{ __html: String(post[BODY] ?? "") }} />
    </>
  );
}
