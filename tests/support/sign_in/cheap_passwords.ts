/**
 * Loaded before the service of a story: a password is hashed in a millisecond instead of 200 of processor time. The
 * true cost has tests of its own in `tests/kv/people/passwords_test.ts`.
 *
 * @module
 */
import { PASSWORD_COST } from "../../../kv/people/passwords.ts";

Object.assign(PASSWORD_COST, { logN: 4, p: 1 });
