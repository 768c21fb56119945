/**
 * A document.
 *
 * @module
 */
import { sizeUpTo } from "../../views/field_renderings.ts";
import { TIMES } from "./maker.ts";

/** Highest that an upright picture stands beside the title, pixels. */
const HERO_UPRIGHT_HEIGHT = 640;

/** `document.liquid` */
export const DOCUMENT = `{% layout "layout" %}{% block main %}
{%- if document.image and page.profile %}{% assign portrait = document.image %}
{%- elsif document.image %}
{%- assign half = document.image.width | times: 0.9 %}
{%- if document.image.height > half or document.image.width < 800 %}{% assign upright = true %}{% endif %}
{%- endif %}
<article{% if document.direction %} dir="{{ document.direction }}"{% endif %}>
{%- if upright %}
<div class="beside">
{%- endif %}
<header class="head{% if portrait %} profile{% endif %}">
{%- if portrait %}
<img class="portrait" src="{{ portrait.cuts.square.path }}"{% if portrait.cuts.square.srcset != "" %} srcset="{{ portrait.cuts.square.srcset }}" sizes="128px"{% endif %} alt="{{ portrait.alt }}" width="128" height="128" fetchpriority="high">
<div>
{%- endif %}
{%- unless collection.single %}
<p class="kicker"><a href="{{ collection.path }}">{{ collection.name }}</a></p>
{%- endunless %}
<h1{% if document.title.size > 70 %} class="long"{% endif %}>{{ document.title }}</h1>
{%- if document.lead != "" %}
<p class="lead">{{ document.lead }}</p>
{%- endif %}
{%- unless collection.single %}
{%- if document.bylines.size > 0 or document.when or document.reading %}
<p class="byline">
{%- for field in document.bylines %}
{%- assign by = site.words.by %}
{%- unless field.writer %}{% assign by = field.label | append: ": {name}" %}{% endunless %}
{%- assign by = by | split: "{name}" %}
<span>{% if field.image %}{% render "face", image: field.image, pixels: 36 %}{% endif %}{{ by[0] }}{% if field.value.path %}<a rel="author" href="{{ field.value.path }}">{{ field.value.title }}</a>{% else %}<b>{{ field.value.title }}</b>{% endif %}{{ by[1] }}</span>
{%- endfor %}
${TIMES}
</p>
{%- endif %}
{%- endunless %}
{%- if portrait %}
</div>
{%- endif %}
</header>
{%- if document.image and portrait == nil %}
<figure class="hero{% if upright %} upright{% endif %}"><img src="{{ document.image.path }}"{% if document.image.srcset != "" %} srcset="{{ document.image.srcset }}" sizes="{% if upright %}(min-width: 60rem) 26rem, 100vw{% else %}(min-width: 68rem) 64rem, 100vw{% endif %}"{% endif %} alt="{{ document.image.alt }}" {% if upright %}${
  sizeUpTo(HERO_UPRIGHT_HEIGHT, "document.image")
}{% else %}width="{{ document.image.width }}" height="{{ document.image.height }}"{% endif %} fetchpriority="high"></figure>
{%- endif %}
{%- if upright %}
</div>
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
{%- for section in sections %}
<section class="carriers" aria-labelledby="section-{{ section.id }}">
<h2 class="section" id="section-{{ section.id }}"><a href="{{ section.path }}">{{ section.name }}</a></h2>
<ul class="teasers">
{%- for document in section.documents %}
{% render "teaser", document: document, level: 3 %}
{%- endfor %}
</ul>
{%- if section.more %}
<p class="more"><a href="{{ section.path }}">{{ site.words.more | replace: "{name}", section.name }}</a></p>
{%- endif %}
</section>
{%- endfor %}
{%- if document.related.size > 0 %}
<aside class="related" aria-labelledby="related">
<h2 class="section" id="related">{{ site.words.related }}</h2>
<ul>
{%- for one in document.related %}
<li>{% if one.path %}<a href="{{ one.path }}">{{ one.title }}</a>{% else %}<span>{{ one.title }}</span>{% endif %}
{%- render "when", document: one %}
{%- if one.image %}
<img src="{{ one.image.cuts.photo.path }}"{% if one.image.cuts.photo.srcset != "" %} srcset="{{ one.image.cuts.photo.srcset }}" sizes="7.5rem"{% endif %} alt="" width="{{ one.image.cuts.photo.width }}" height="{{ one.image.cuts.photo.height }}" loading="lazy">
{%- endif %}</li>
{%- endfor %}
</ul>
</aside>
{%- endif %}
{% endblock %}`;
