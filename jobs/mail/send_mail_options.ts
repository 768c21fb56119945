/**
 * What SEND_MAIL needs of the service.
 *
 * @module
 */
import type { Content } from "../../kv/documents/content.ts";
import type { People } from "../../kv/people/people.ts";
import type { SendMail } from "./mail.ts";

/** The dependencies of the job. */
export interface SendMailOptions {
  access: People["access"];
  /** The schema, whose languages name translations. */
  schema: Content["schema"];
  sendMail: SendMail;
  /** The URL of the site, without a slash at the end, its title and its time zone. */
  site: () => Promise<{ url: string; title: string; timezone: string }>;
  /** Whether the site wants no mails about new browsers and linked identities. */
  isQuiet?: () => Promise<boolean>;
}
