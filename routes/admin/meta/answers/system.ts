/**
 * What the admin API answers about settings, jobs, backups, packages, webhooks and transfers.
 *
 * @module
 */
import { z } from "zod";
import { BUILT_IN_THEMES } from "../../../../kv/packages/built_in_themes.ts";
import { JOB_STATES } from "../../../../kv/jobs/job.ts";
import {
  count,
  id,
  idOrNull,
  openObject,
  text,
  textOrNull,
  texts,
  time,
  timeOrNull,
  times,
} from "./answer_parts.ts";

const Job = z.object({
  id,
  type: text,
  state: z.enum(JOB_STATES),
  step: textOrNull,
  attempts: count,
  error: textOrNull,
  progress: z.object({ done: count, total: count.nullable() }).nullable(),
  result: z.unknown(),
  dueAt: time,
  ...times,
});
const JobRun = Job.pick({
  state: true,
  error: true,
  result: true,
  createdAt: true,
  updatedAt: true,
});

const present = {
  id,
  packageId: text,
  name: text,
  version: text,
  api: text,
  publisher: text,
  fileCount: count,
  bytes: count,
  ...times,
};
const Theme = z.object({ ...present, active: z.boolean() });
const BuiltInTheme = z.object({
  id: z.enum(BUILT_IN_THEMES.map((theme) => theme.id)),
  name: text,
  description: text,
  active: z.boolean(),
});
const PluginSetting = z.object({
  type: text,
  label: text,
  help: text,
  secret: z.boolean(),
  required: z.boolean(),
  choices: texts,
  default: z.unknown(),
});

const webhook = {
  id,
  name: text,
  url: text,
  events: texts,
  collections: texts.nullable(),
  filter: openObject.nullable(),
  languages: texts.nullable().optional(),
  enabled: z.boolean(),
  disabledReason: textOrNull,
  ...times,
};

const Redirect = z.object({
  from: text,
  to: textOrNull,
  status: count,
  kind: z.enum(["rule", "former"]),
  transfer: text.optional(),
  hits: count,
});

/** The answers by component name. */
export const SYSTEM_ANSWERS = {
  Settings: openObject.meta({ description: "Every setting by its key." }),
  TestMail: z.object({ sent: z.boolean(), to: text, via: textOrNull, error: textOrNull }),
  Job,
  JobWithRuns: Job.extend({ runs: z.array(JobRun).optional() }),
  LostValue: z.object({ id, title: text, value: z.unknown(), reason: text }),
  Backup: z.object({
    id,
    createdAt: time,
    bytes: count,
    rows: count,
    redacted: z.boolean(),
    media: z.boolean(),
    reason: text,
    url: text,
  }),
  BackupCheck: z.object({
    valid: z.boolean(),
    errors: z.array(z.object({ path: text, message: text })),
    tables: z.record(
      z.string(),
      z.object({ rows: count, entities: count, present: count.nullable() }),
    ),
  }),
  Theme,
  BuiltInTheme,
  AnyTheme: z.union([Theme, BuiltInTheme]),
  ActivatedTheme: z.union([Theme.extend({ jobId: id }), z.object({ jobId: id })]),
  Plugin: z.object({
    ...present,
    enabled: z.boolean(),
    status: text,
    pausedAt: timeOrNull,
    pausedReason: textOrNull,
    failures: count,
    capabilities: texts,
    hosts: texts,
    hooks: z.array(openObject),
    settings: z.record(z.string(), PluginSetting),
  }),
  PluginConfig: openObject.meta({
    description: "Values by key; a secret is shown as whether it is set.",
  }),
  PluginSecret: z.object({ secret: text.meta({ description: "Shown in this response only." }) }),
  PackageCheck: z.object({
    packageId: text,
    name: text,
    version: text,
    publisher: z.object({ id: text, label: text }),
    capabilities: texts,
    hosts: texts,
    events: texts,
    needed: texts,
    dropped: texts,
    newHosts: texts,
    present: z.object({ id, version: text, order: text }).nullable(),
    reasons: texts,
  }),
  Webhook: z.object(webhook),
  NewWebhook: z.object({
    ...webhook,
    secret: text.meta({ description: "Shown in this response only." }),
  }),
  Delivery: z.object({
    id,
    event: text,
    state: text,
    attempts: z.array(z.object({
      at: time,
      ms: count,
      status: count.nullable(),
      error: textOrNull,
      log: texts.optional().meta({ description: "What the code of a plugin has logged." }),
      calls: z.record(z.string(), count).optional().meta({
        description: "How often the code of a plugin called each function of the host.",
      }),
    })),
    body: text,
    response: textOrNull,
    url: text.optional().meta({ description: "The URL of a plugin's hook." }),
    createdAt: time,
    nextAttemptAt: time.optional().meta({ description: "Only while a failed delivery waits." }),
  }),
  Redirect,
  RedirectMatch: z.object({ match: Redirect.nullable() }),
  Transfer: z.object({
    id,
    name: text,
    kind: textOrNull,
    state: text,
    counts: z.record(z.string(), count),
    plan: openObject.nullable(),
    progress: z.object({ phase: text, done: count, total: count.nullable() }),
    report: z.record(z.string(), count),
    error: textOrNull.optional(),
    files: z.array(z.object({ name: text, bytes: count })),
    runs: z.array(z.object({ jobId: id, action: text })),
    createdBy: idOrNull,
    createdAt: time,
  }),
  StartedTransfer: z.object({ id, jobId: id }),
  TransferSample: z.object({
    data: z.array(z.object({
      source: openObject,
      document: openObject.nullable(),
      problems: z.array(openObject),
    })),
  }),
};
