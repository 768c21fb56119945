import type { ReactNode } from "react";

export default function Layout({ children }: { children: ReactNode }) {
  return (
    <html lang="en">
      <body>
        <nav>
          <a href="/">Home</a>
          <form action="/search">
            <input name="q" aria-label="Search" minLength={2} required />
          </form>
        </nav>
        <main>{children}</main>
      </body>
    </html>
  );
}
