/**
 * A document.
 *
 * @module
 */

/** `document.liquid` */
export const DOCUMENT = `{% layout "layout" %}{% block main %}
<article{% if document.direction %} dir="{{ document.direction }}"{% endif %}>
<header class="head">
{%- unless collection.single %}
<p class="kicker"><a href="{{ collection.path }}">{{ collection.name }}</a></p>
{%- endunless %}
<h1{% if document.title.size > 70 %} class="long"{% endif %}>{{ document.title }}</h1>
{%- if document.lead != "" %}
<p class="lead">{{ document.lead }}</p>
{%- endif %}
{%- unless collection.single %}
<p class="byline">
{%- for field in document.bylines %}
{%- assign by = site.words.by | split: "{name}" %}
<span>{{ by[0] }}{% if field.value.path %}<a rel="author" href="{{ field.value.path }}">{{ field.value.title }}</a>{% else %}<b>{{ field.value.title }}</b>{% endif %}{{ by[1] }}</span>
{%- endfor %}
<time datetime="{{ document.published.iso }}">{{ document.published.text }}</time>
{%- if document.reading %}
<span>{{ document.reading.text }}</span>
{%- endif %}
</p>
{%- endunless %}
</header>
{%- if document.image %}
{%- assign half = document.image.width | times: 0.9 %}
{%- if document.image.height > half %}{% assign upright = true %}{% endif %}
<figure class="hero{% if upright or document.image.width < 800 %} upright{% endif %}"><img src="{{ document.image.path }}"{% if document.image.srcset != "" %} srcset="{{ document.image.srcset }}" sizes="(min-width: 68rem) 64rem, 100vw"{% endif %} alt="{{ document.image.alt }}" width="{{ document.image.width }}" height="{{ document.image.height }}" fetchpriority="high"></figure>
{%- endif %}
{%- for field in document.body %}
{% render "field", field: field %}
{%- endfor %}
{%- for block in document.blocks %}
{{ block }}
{%- endfor %}
{%- if document.facts.size > 0 %}
<dl class="facts">
{%- for field in document.facts %}
<div><dt>{{ field.label }}</dt><dd>{% render "field", field: field %}</dd></div>
{%- endfor %}
</dl>
{%- endif %}
{%- if document.tagged.size > 0 %}
<ul class="tags">
{%- for tag in document.tagged %}
<li>{% if tag.path %}<a rel="tag" href="{{ tag.path }}">{{ tag.label }}</a>{% else %}{{ tag.label }}{% endif %}</li>
{%- endfor %}
</ul>
{%- endif %}
</article>
{%- if document.related.size > 0 %}
<aside class="related" aria-labelledby="related">
<h2 class="section" id="related">{{ site.words.related }}</h2>
<ul>
{%- for one in document.related %}
<li>{% if one.path %}<a href="{{ one.path }}">{{ one.title }}</a>{% else %}<span>{{ one.title }}</span>{% endif %}
{%- if one.published %} <time datetime="{{ one.published.iso }}">{{ one.published.text }}</time>{% endif %}
{%- if one.image %}
<img src="{{ one.image.cuts.photo.path }}"{% if one.image.cuts.photo.srcset != "" %} srcset="{{ one.image.cuts.photo.srcset }}" sizes="7.5rem"{% endif %} alt="" width="{{ one.image.cuts.photo.width }}" height="{{ one.image.cuts.photo.height }}" loading="lazy">
{%- endif %}</li>
{%- endfor %}
</ul>
</aside>
{%- endif %}
{% endblock %}`;
