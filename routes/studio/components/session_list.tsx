/**
 * The sessions of a user, each with a sign-out button.
 *
 * @module
 */
import { type ListedSession, sessionId } from "../../../kv/people/sessions.ts";
import type { Visit } from "../serving/studio_env.ts";
import { Button } from "./button.tsx";
import { Time } from "./time.tsx";

/** Browsers and systems by user agent; the first match counts. */
const BROWSERS: readonly (readonly [RegExp, string])[] = [
  [/\bEdgA?\//, "Edge"],
  [/\bOPR\//, "Opera"],
  [/\bFirefox\//, "Firefox"],
  [/\bChrom(?:e|ium)\//, "Chrome"],
  [/\bSafari\//, "Safari"],
  [/^curl\//, "curl"],
];
const SYSTEMS: readonly (readonly [RegExp, string])[] = [
  [/\bAndroid\b/, "Android"],
  [/\b(?:iPhone|iPad)\b/, "iOS"],
  [/\bWindows\b/, "Windows"],
  [/\bMac OS X\b/, "macOS"],
  [/\bLinux\b/, "Linux"],
];

/** The sessions of a user; `path` is the API path that ends them, `own` the hash of the current session. */
export function SessionList(
  { sessions, own, path, visit }: {
    sessions: ListedSession[];
    own: string;
    path: string;
    visit: Visit;
  },
) {
  if (sessions.length === 0) return <p class="muted">No active sessions.</p>;
  const others = sessions.filter(({ hash }) => hash !== own).length;
  return (
    <>
      <ul class="rows">
        {sessions.map(({ hash, row }) => (
          <li class="session">
            <span>
              {browserName(row.place?.agent ?? "")}
              <span class="muted small">
                {row.place && `${row.place.address} · `}
                {methodName(row)}
                since <Time at={row.createdAt} clock={visit} exact />, used{" "}
                <Time at={row.usedAt} clock={visit} />
              </span>
            </span>
            {hash === own ? <span class="badge good">This session</span> : (
              <Button
                size="small"
                data-action={`DELETE ${path}/${sessionId(hash)}`}
                data-then="reload"
                data-done="Session signed out"
              >
                Sign out
              </Button>
            )}
          </li>
        ))}
      </ul>
      {others > 1 && (
        <div class="padded">
          <Button
            data-action={`DELETE ${path}`}
            data-then="reload"
            data-done="Signed out everywhere else"
          >
            {others === sessions.length ? "Sign out everywhere" : "Sign out everywhere else"}
          </Button>
        </div>
      )}
    </>
  );
}

/** How a session began, unless it was by a password alone. */
function methodName({ method, secondFactor, oidc }: ListedSession["row"]): string {
  if (oidc !== undefined) return `single sign-on (${oidc.provider}) · `;
  if (method === "passkey") return "passkey · ";
  if (method === "recovery") return "recovery link · ";
  return secondFactor === undefined ? "" : "second factor · ";
}

/** The name of a browser. An unknown user agent is not shown, because a client can choose its text freely. */
function browserName(agent: string): string {
  const browser = BROWSERS.find(([mark]) => mark.test(agent))?.[1] ?? "Unknown device";
  const system = SYSTEMS.find(([mark]) => mark.test(agent))?.[1];
  return system === undefined ? browser : `${browser} on ${system}`;
}
