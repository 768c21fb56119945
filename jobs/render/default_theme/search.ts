/**
 * The search of the site.
 *
 * @module
 */

/** `search.liquid` */
export const SEARCH = `{% layout "layout" %}{% block main %}
<header class="head">
<h1>{{ page.title }}</h1>
</header>
<form class="search" role="search" action="/search" data-search{% if narrowed %} data-narrowed{% endif %}>
<label for="q">Words to look for</label>
<div><input id="q" name="q" type="search" maxlength="100" autocomplete="off" spellcheck="false" enterkeyhint="search"><button type="submit">Search</button></div>
</form>
<noscript><p class="empty">Searching needs JavaScript. The sections above list everything.</p></noscript>
<p class="found" role="status" data-search-status></p>
<ul class="results" data-search-results></ul>
<p class="more"><button type="button" data-search-more hidden>Show more</button></p>
{%- for collection in searched %}
<span hidden data-search-collection="{{ collection.slug }}">{{ collection.name }}</span>
{%- endfor %}
{{ script }}
{% endblock %}`;
