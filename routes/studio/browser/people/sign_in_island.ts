/**
 * Runs in the browser. The two islands about signing in: the sign-in page, and the security part of the account.
 *
 * @module
 */
/// <reference lib="dom" />
import { type SecurityTools, startSecurity } from "./security.ts";
import { type SignInTools, startSignIn } from "./sign_in.ts";

/** Starts the island that an element is. */
export function startSignInIsland(
  tools: SignInTools & SecurityTools,
): (element: HTMLElement) => void {
  return (element) => {
    if (element.dataset.island === "security") startSecurity(tools, element);
    else startSignIn(tools, element);
  };
}
