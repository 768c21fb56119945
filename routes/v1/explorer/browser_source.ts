/**
 * The browser's code as text: the functions under `browser/` as the runtime has them, without types.
 * So there is nothing to build, and the page's code is checked like all other code.
 *
 * @module
 */
import { answerView, bodyView, parsedBody, send } from "./browser/answer_view.ts";
import { conditionBuilder, conditionRow, filterParts } from "./browser/conditions.ts";
import { button, byId, element } from "../../browser/elements.ts";
import {
  bringIntoView,
  copyText,
  linkTitle,
  load,
  loadTemporaryToken,
  operationView,
  parameterGrid,
  sendAs,
  showMessage,
  showOperation,
  showOperations,
  startExplorer,
  tokenOf,
} from "./browser/explorer.ts";
import { appendEntries, collapseAll, jsonLeaf, jsonTree } from "./browser/json_tree.ts";
import {
  groupsOf,
  isCollection,
  isFilter,
  plainText,
  readOperations,
  readParameter,
  resolved,
  slugIn,
} from "./browser/operations.ts";
import { markControl, refusedParameter, showRefusal } from "./browser/refusal_view.ts";
import {
  choiceLabel,
  controlId,
  parameterControl,
  requestAddress,
  valueControl,
} from "./browser/request_form.ts";
import { asCurl, asFetch } from "./browser/snippets.ts";
import { breakable, overview, requestTemporaryToken, showReader } from "./browser/start.ts";

const FUNCTIONS = [
  ...[element, byId, button],
  ...[plainText, readOperations, resolved, readParameter, groupsOf, isCollection, slugIn],
  ...[parameterControl, controlId, valueControl, choiceLabel, requestAddress],
  ...[isFilter, filterParts, conditionBuilder, conditionRow],
  ...[jsonTree, appendEntries, jsonLeaf, collapseAll],
  ...[asCurl, asFetch],
  ...[send, parsedBody, answerView, bodyView],
  ...[showRefusal, refusedParameter, markControl],
  ...[tokenOf, showMessage, load, showOperations, showOperation],
  ...[requestTemporaryToken, showReader, breakable, overview, loadTemporaryToken, sendAs],
  ...[operationView, bringIntoView, linkTitle, parameterGrid, copyText, startExplorer],
];

/** A module script that starts the page. */
export function browserSource(): string {
  return `"use strict";\n${FUNCTIONS.map(String).join("\n\n")}\n\nstartExplorer();\n`;
}
