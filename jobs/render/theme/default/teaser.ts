/**
 * A document in a list of documents.
 *
 * @module
 */

/** `teaser.liquid` */
export const TEASER =
  `<li{% if span %} class="{{ span }}"{% endif %}><article class="teaser{% if document.image %} pictured{% endif %}"{% if document.direction %} dir="{{ document.direction }}"{% endif %}>
{%- if document.image %}
<img src="{{ document.image.cuts.photo.path }}"{% if document.image.cuts.photo.srcset != "" %} srcset="{{ document.image.cuts.photo.srcset }}" sizes="{% case span %}{% when "whole" %}(min-width: 60rem) 40rem, 100vw{% when "half" %}(min-width: 60rem) 31rem, (min-width: 40rem) 45vw, 7rem{% when "third" %}(min-width: 60rem) 22rem, (min-width: 40rem) 30vw, 7rem{% when "quarter" %}(min-width: 60rem) 15rem, (min-width: 40rem) 45vw, 7rem{% else %}(min-width: 60rem) 22rem, (min-width: 40rem) 45vw, 100vw{% endcase %}"{% endif %} alt="" width="{{ document.image.cuts.photo.width }}" height="{{ document.image.cuts.photo.height }}"{% if span == "whole" or lead %} fetchpriority="high"{% else %} loading="lazy"{% endif %}>
{%- endif %}
<h{{ level }}><a href="{{ document.path }}">{{ document.title }}</a></h{{ level }}>
{%- if document.excerpt != "" %}
<p>{{ document.excerpt }}</p>
{%- endif %}
{%- render "when", document: document %}
</article></li>`;
