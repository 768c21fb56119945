/**
 * Says how long it takes to read a document: counts the words of its texts and keeps the minutes in a
 * field.
 *
 * @module
 */

/** @param {unknown} value */
function wordsOf(value) {
  if (typeof value === "string") return value.split(/\s+/).filter(Boolean).length;
  if (Array.isArray(value)) return value.reduce((sum, part) => sum + wordsOf(part), 0);
  if (value === null || typeof value !== "object") return 0;
  return value._type === "span" ? wordsOf(value.text) : wordsOf(value.children ?? []);
}

export default {
  async "document.published"(event, cms) {
    const { wordsPerMinute, field } = await cms.settings.get();
    const document = await cms.content.get(event.data.id);
    if (document === null) return { skipped: true };
    const { id, slug: _slug, title: _title, status: _status, ...values } = document;
    const minutes = Math.max(1, Math.round(wordsOf(Object.values(values)) / wordsPerMinute));
    if (document[field] !== minutes) await cms.content.update(id, { [field]: minutes });
    await cms.log("read in", minutes, "minutes");
    return { minutes };
  },
};
