/**
 * The search of the site.
 *
 * @module
 */

/** `search.liquid`; the script takes its sentences from the form. */
export const SEARCH = `{% layout "layout" %}{% block main %}
<header class="head">
<h1>{{ page.title }}</h1>
</header>
<form class="search" role="search" action="/search" data-search{% if narrowed %} data-narrowed{% endif %} data-one="{{ site.words.oneFound }}" data-many="{{ site.words.manyFound }}" data-none="{{ site.words.noneFound }}" data-busy="{{ site.words.searchBusy }}" data-silent="{{ site.words.searchSilent }}">
<label for="q">{{ site.words.searchLabel }}</label>
<div><input id="q" name="q" type="search" maxlength="100" autocomplete="off" spellcheck="false" enterkeyhint="search" autofocus><button type="submit">{{ site.words.search }}</button></div>
</form>
<noscript><p class="empty">{{ site.words.searchScript }}</p></noscript>
<p class="found" role="status" data-search-status></p>
<ul class="results" data-search-results></ul>
<p class="more"><button type="button" data-search-more hidden>{{ site.words.showMore }}</button></p>
{%- for collection in searched %}
<span hidden data-search-collection="{{ collection.slug }}">{{ collection.name }}</span>
{%- endfor %}
{{ script }}
{% endblock %}`;
