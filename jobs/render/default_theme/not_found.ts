/**
 * The answer where there is no page.
 *
 * @module
 */

/** `not_found.liquid` */
export const NOT_FOUND = `{% layout "layout" %}{% block main %}
<header class="head">
<p class="kicker">404</p>
<h1>{{ page.title }}</h1>
<p class="lead">There is nothing at this address. It may have moved, or it was never here.</p>
</header>
<p class="more"><a href="/">To the first page</a> <a href="/search">Search</a></p>
{% endblock %}`;
