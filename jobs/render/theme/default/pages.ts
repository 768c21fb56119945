/**
 * The links between the pages of a listing. Their arrows come from the style sheet, which knows which way text runs.
 *
 * @module
 */

/** A part of `listing.liquid` and `tag.liquid`. */
export const PAGES = `{%- if newer or older %}
<nav class="pages" aria-label="{{ site.words.pages }}">
{%- if newer %}<a rel="prev" href="{{ newer }}">{{ site.words.newer }}</a>{% endif %}
{%- if older %}<a rel="next" href="{{ older }}">{{ site.words.older }}</a>{% endif %}
</nav>
{%- endif %}`;
