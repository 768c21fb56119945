import { notFound } from "next/navigation";
import { BODY, bySlug } from "../../../content";

interface Props {
  params: Promise<{ slug: string }>;
}

// Pages are rendered when they are first asked for, and kept.
export const generateStaticParams = () => [];

export async function generateMetadata({ params }: Props) {
  return { title: (await bySlug((await params).slug))?.title ?? "Not found" };
}

export default async function PostPage({ params }: Props) {
  const post = await bySlug((await params).slug);
  if (post === null) notFound();
  // Rich text comes as HTML that the service has made of known elements only.
  return (
    <>
      <h1>{post.title}</h1>
      <div dangerouslySetInnerHTML={{ __html: String(post[BODY] ?? "") }} />
    </>
  );
}
