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
<meta name="robots" content="max-image-preview:large">
{%- else %}
<meta name="robots" content="noindex">
{%- endif %}
<link rel="icon" href="{{ site.icon.path }}" type="{{ site.icon.type }}" sizes="{{ site.icon.sizes }}">
{%- if site.icon.touch %}
<link rel="apple-touch-icon" href="{{ site.icon.touch }}">
{%- endif %}
{%- if page.markdown %}
<link rel="alternate" type="text/markdown" href="{{ page.markdown }}">
{%- endif %}
{%- for feed in page.feeds %}
<link rel="alternate" type="{{ feed.type }}" title="{{ feed.title }}" href="{{ feed.path }}">
{%- endfor %}
<meta property="og:site_name" content="{{ site.title }}">
<meta property="og:title" content="{{ page.title }}">
<meta property="og:type" content="{% if page.profile %}profile{% elsif page.kind == "document" %}article{% else %}website{% endif %}">
{%- if page.canonical %}
<meta property="og:url" content="{{ page.canonical }}">
{%- endif %}
{%- if page.description != "" %}
<meta property="og:description" content="{{ page.description }}">
{%- endif %}
{%- if page.share %}
<meta property="og:image" content="{{ page.share.url }}">
<meta property="og:image:width" content="{{ page.share.width }}">
<meta property="og:image:height" content="{{ page.share.height }}">
{%- if page.share.alt != "" %}
<meta property="og:image:alt" content="{{ page.share.alt }}">
{%- endif %}
{%- endif %}
<meta name="twitter:card" content="{% if page.share.width >= 600 %}summary_large_image{% else %}summary{% endif %}">
{%- if document and page.profile == false %}
<meta property="article:published_time" content="{{ document.published.iso }}">
<meta property="article:modified_time" content="{{ document.updated.iso }}">
{%- for topic in page.topics %}
<meta property="article:tag" content="{{ topic }}">
{%- endfor %}
{%- endif %}
{%- if page.structured %}
<script type="application/ld+json">{{ page.structured }}</script>
{%- endif %}`;
