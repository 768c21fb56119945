/**
 * What every page says of itself to browsers, search engines and networks: for layouts of other themes too.
 *
 * @module
 */

/** `head.liquid` */
export const HEAD = `<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{% if page.kind == "home" %}{{ site.title }}{% else %}{{ page.title }} – {{ site.title }}{% endif %}</title>
{%- if page.description != "" %}
<meta name="description" content="{{ page.description }}">
{%- endif %}
{%- if page.canonical %}
<link rel="canonical" href="{{ page.canonical }}">
{%- else %}
<meta name="robots" content="noindex">
{%- endif %}
{%- for feed in page.feeds %}
<link rel="alternate" type="{{ feed.type }}" title="{{ feed.title }}" href="{{ feed.path }}">
{%- endfor %}
<meta property="og:site_name" content="{{ site.title }}">
<meta property="og:title" content="{{ page.title }}">
<meta property="og:type" content="{% if page.kind == "document" %}article{% else %}website{% endif %}">
{%- if page.canonical %}
<meta property="og:url" content="{{ page.canonical }}">
{%- endif %}
{%- if page.description != "" %}
<meta property="og:description" content="{{ page.description }}">
{%- endif %}
{%- if page.image %}
<meta property="og:image" content="{{ page.image.url }}">
<meta property="og:image:width" content="{{ page.image.width }}">
<meta property="og:image:height" content="{{ page.image.height }}">
<meta property="og:image:alt" content="{{ page.image.alt }}">
<meta name="twitter:card" content="summary_large_image">
{%- endif %}
{%- if document %}
<meta property="article:published_time" content="{{ document.published.iso }}">
<meta property="article:modified_time" content="{{ document.updated.iso }}">
{%- endif %}
{%- if page.structured %}
<script type="application/ld+json">{{ page.structured }}</script>
{%- endif %}`;
