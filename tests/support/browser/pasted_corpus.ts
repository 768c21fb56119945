/**
 * What Word, Word Online, Google Docs, LibreOffice, Notion, GitHub, VS Code, Gmail, WordPress and others put on the
 * clipboard, and what the editor makes of it.
 *
 * @module
 */

/** What is pasted, what it gives, and what is said of the rest. */
export interface Pasted {
  html?: string;
  text?: string;
  gives: string[];
  says?: string;
}

/** What programs put onto the clipboard, shortened to what matters. */
export const PASTED: Record<string, Pasted> = {
  "Google Docs": {
    html: `<meta charset="utf-8"><b style="font-weight:normal;" id="docs-internal-guid-1">
      <h1 dir="ltr"><span style="font-weight:400;">Title</span></h1>
      <p dir="ltr"><span style="font-weight:700;">Bold</span><span style="font-style:italic"> and italic</span></p>
      <ul><li dir="ltr" aria-level="1"><p dir="ltr" role="presentation"><span>One</span></p></li>
      <ul><li dir="ltr" aria-level="2"><p dir="ltr"><span>Two</span></p></li></ul></ul></b>`,
    gives: [
      "h2: Title",
      "normal: <strong>Bold</><em> and italic</>",
      "bullet 1: One",
      "bullet 2: Two",
    ],
  },
  "Word": {
    html:
      `<html xmlns:o="urn:schemas-microsoft-com:office:office"><head><style>p{color:red}</style></head>
      <body><!--StartFragment--><p class=MsoNormal><b>Report</b><o:p></o:p></p>
      <p class=MsoListParagraphCxSpFirst style='mso-list:l0 level1 lfo1'><span style='mso-list:Ignore'>·<span>&nbsp;&nbsp;</span></span>Point</p>
      <p class=MsoListParagraphCxSpLast style='mso-list:l1 level2 lfo2'><span style='mso-list:Ignore'>1.<span>&nbsp;</span></span>Number</p>
      <p class=MsoNormal><o:p>&nbsp;</o:p></p><!--EndFragment--></body></html>`,
    gives: ["normal: <strong>Report</>", "bullet 1: Point", "number 2: Number"],
  },
  "Notion": {
    html:
      `<meta charset='utf-8'><h3>Plan</h3><ol><li>First<ul><li>Inner</li></ul></li><li>Second</li></ol>
      <blockquote>Quoted</blockquote><p>See <a href="https://notion.example/x">this</a></p>`,
    gives: [
      "h3: Plan",
      "number 1: First",
      "bullet 2: Inner",
      "number 1: Second",
      "blockquote: Quoted",
      "normal: See <https://notion.example/x>this</>",
    ],
  },
  "Gmail": {
    html: `<div dir="ltr"><div>Hello,</div><div><br></div><div>see <i>you</i>
      <a href="javascript:steal()">soon</a></div><div class="gmail_quote"><blockquote><div>Old <u>mail</u></div></blockquote></div></div>`,
    gives: ["normal: Hello,", "normal: see <em>you</> soon", "blockquote: Old <underline>mail</>"],
  },
  "Word Online": {
    html:
      `<div class="OutlineElement Ltr SCXW1"><p class="Paragraph SCXW1" role="heading" aria-level="2"><span data-contrast="auto" class="TextRun"><span class="NormalTextRun">Plan</span></span><span class="EOP">&nbsp;</span></p></div>
      <div class="ListContainerWrapper SCXW1"><ul class="BulletListStyle1" role="list"><li data-listid="1" data-aria-posinset="1" data-aria-level="1" role="listitem"><p class="Paragraph"><span>One</span></p></li></ul></div>
      <div class="ListContainerWrapper SCXW1"><ul class="BulletListStyle2" role="list"><li data-listid="1" data-aria-posinset="1" data-aria-level="2" role="listitem"><p class="Paragraph"><span>Two</span></p></li></ul></div>
      <div class="ListContainerWrapper SCXW1"><ol class="NumberListStyle3" role="list" start="1"><li data-listid="2" data-aria-level="3" role="listitem"><p class="Paragraph"><span>Three</span></p></li></ol></div>`,
    gives: ["normal: Plan\u00a0", "bullet 1: One", "bullet 2: Two", "number 3: Three"],
  },
  "LibreOffice": {
    html:
      `<!DOCTYPE html><html><head><meta name="generator" content="LibreOffice 24.2 (Linux)"/><style type="text/css">p { line-height: 115% }</style></head>
      <body lang="en-US"><h1 class="western">Log</h1><p style="margin-bottom: 0in">The <i>lamp</i> was <b>lit</b>.</p>
      <ul><li><p style="margin-bottom: 0in">Oil</p></li><ul><li><p>Wick</p></li></ul></ul></body></html>`,
    gives: [
      "h2: Log",
      "normal: The <em>lamp</> was <strong>lit</>.",
      "bullet 1: Oil",
      "bullet 2: Wick",
    ],
  },
  "a list of GitHub with headings": {
    html:
      `<ul dir="auto"><li><h3 dir="auto">Setup</h3>Install it<p dir="auto">and run it.</p></li><li>Use<h4>Options</h4></li>
      <li>Before<ul><li>Inner</li></ul>after</li><li><div>a</div><div>b</div></li></ul>`,
    gives: [
      "bullet 1: Setup\nInstall it\nand run it.",
      "bullet 1: Use\nOptions",
      "bullet 1: Before\nafter",
      "bullet 2: Inner",
      "bullet 1: a\nb",
    ],
  },
  "VS Code": {
    html:
      `<meta charset='utf-8'><div style="color: #cccccc;background-color: #1f1f1f;font-family: 'Droid Sans Mono', 'monospace', monospace;font-weight: normal;font-size: 14px;line-height: 19px;white-space: pre;"><div><span style="color: #569cd6;">if</span><span> (lit) {</span></div><div><span>  wait();</span></div><br><div><span>}</span></div></div>`,
    gives: ["{code : if (lit) {\n  wait();\n\n}}"],
  },
  "a word of VS Code": {
    html:
      `<meta charset='utf-8'><div style="font-family: Menlo, Monaco, 'Courier New', monospace;white-space: pre;"><div><span style="color: #9cdcfe;">lamp</span></div></div>`,
    gives: ["normal: <code>lamp</>"],
  },
  "code whose lines are elements": {
    html:
      `<pre><code><div class="line">a</div><div class="line">  b</div><div></div><div>c</div></code></pre>`,
    gives: ["{code : a\n  b\n\nc}"],
  },
  "white space that is shown": {
    html:
      `<p style="white-space: pre-wrap">First  line\n  second\tend\n</p><div style="white-space:pre-line">One   two\nthree</div>
      <p><span style="white-space:pre-wrap;">a   b</span></p><p>plain   text\nhere</p>`,
    gives: [
      "normal: First\u00a0 line\n\u00a0\u00a0second\u00a0\u00a0\u00a0 end",
      "normal: One two\nthree",
      "normal: a\u00a0\u00a0 b",
      "normal: plain text here",
    ],
  },
  "WordPress": {
    html:
      `<!-- wp:heading --><h2 class="wp-block-heading">Ships</h2><!-- /wp:heading --><!-- wp:list --><ul class="wp-block-list"><!-- wp:list-item --><li>Anna</li><!-- /wp:list-item --></ul><!-- /wp:list -->
      <!-- wp:quote --><blockquote class="wp-block-quote"><!-- wp:paragraph --><p>At night</p><!-- /wp:paragraph --></blockquote><!-- /wp:quote -->
      <!-- wp:code --><pre class="wp-block-code"><code>a  b\nc</code></pre><!-- /wp:code -->`,
    gives: ["h2: Ships", "bullet 1: Anna", "blockquote: At night", "{code : a  b\nc}"],
  },
  "hostile page": {
    html:
      `<p onclick="x()">A<script>alert(1)</script><img src=x onerror="window.hurt=1"><span data-def='{"_type":"link","href":"javascript:x"}'>b</span>
      <span data-object="[1]">c</span></p>`,
    gives: ["normal: Ab c"],
  },
  "plain text": {
    text: "One line\nAnother\n\nThird",
    gives: ["normal: One line", "normal: Another", "normal: Third"],
  },
  "Markdown": {
    text:
      "# Title\n\nSome **bold** and [a link](https://a.example)\n\n- one\n  - two\n1. three\n> quoted",
    gives: [
      "h2: Title",
      "normal: Some <strong>bold</> and <https://a.example>a link</>",
      "bullet 1: one",
      "bullet 2: two",
      "number 1: three",
      "blockquote: quoted",
    ],
  },
  "a page with a table, code, an image, a film and a rule": {
    html:
      "<table><tr><th>Ship</th><th>Crew</th></tr><tr><td><b>Anna</b></td><td>12</td></tr></table>" +
      "<pre><code>if (lit) {\n  wait();\n}</code></pre><img src='/a.png'>" +
      "<iframe src='https://example.org/film'></iframe><hr><p style='color: red'>End</p>",
    gives: [
      "{table 1: Ship | Crew / <strong>Anna</> | 12}",
      "{code : if (lit) {\n  wait();\n}}",
      "{horizontal-rule}",
      "normal: End",
    ],
    says: "Not pasted: an image, an embed.",
  },
  "a table of Google Docs": {
    html:
      `<meta charset="utf-8"><b style="font-weight:normal;" id="docs-internal-guid-2"><div dir="ltr" align="left"><table style="border:none;">
      <colgroup><col width="300" /></colgroup><tbody><tr style="height:0pt"><td style="border:solid #000 1pt"><p dir="ltr"><span style="font-weight:700;">Ship</span></p></td>
      <td><p dir="ltr"><span>Crew</span></p></td></tr><tr><td><p dir="ltr"><span>Anna</span></p></td><td><br /></td></tr></tbody></table></div><br /></b>`,
    gives: ["{table 0: <strong>Ship</> | Crew / Anna | }"],
  },
  "a table of Word": {
    html:
      `<html xmlns:w="urn:schemas-microsoft-com:office:word"><body><!--StartFragment--><table class=MsoTableGrid border=1 cellspacing=0>
      <tr><td width=301 valign=top><p class=MsoNormal>Ship<o:p></o:p></p><p class=MsoNormal>Port<o:p></o:p></p></td><td><p class=MsoNormal>Crew</p></td></tr>
      <tr><td colspan=2><p class=MsoNormal>None</p></td></tr></table><!--EndFragment--></body></html>`,
    gives: ["{table 0: Ship; Port | Crew / None | }"],
  },
  "a spreadsheet": {
    html:
      `<google-sheets-html-origin><style type="text/css"><!--td {border: 1px solid #ccc;}--></style><table xmlns="http://www.w3.org/1999/xhtml" cellspacing="0" dir="ltr" border="1">
      <colgroup><col width="100"/></colgroup><tbody><tr><td data-sheets-value='{"1":2}'>Anna</td><td>12</td></tr><tr><td>Bo</td><td>7</td></tr></tbody></table>`,
    gives: ["{table 0: Anna | 12 / Bo | 7}"],
  },
  "code of GitHub, and a film": {
    html:
      `<div class="highlight highlight-source-ts"><pre><span class="pl-k">const</span> a <span>=</span> 1;<br>b();</pre></div>
      <p>See <iframe width="560" src="//www.youtube.com/embed/dQw4w9WgXcQ" title="A film"></iframe></p><p>End</p>`,
    gives: [
      "{code typescript: const a = 1;\nb();}",
      "normal: See",
      "{embed: https://www.youtube.com/embed/dQw4w9WgXcQ A film}",
      "normal: End",
    ],
  },
  "a letter laid out by tables": {
    html:
      `<table><tr><td><table><tr><td>Logo</td><td>Menu</td></tr></table></td></tr></table><p>Hello</p>`,
    gives: ["normal: Logo", "normal: Menu", "normal: Hello"],
  },
  "Markdown with all of it": {
    text: "```ts\nlet a;\n\n  b\n```\n| Ship | Crew |\n|:--|--:|\n| **Anna** | 1\\|2 |\n\n---\n\n" +
      "> [!TIP]\n> Mind the _step_\n> - here\n\n> quoted",
    gives: [
      "{code typescript: let a;\n\n  b}",
      "{table 1: Ship | Crew / <strong>Anna</> | 1|2}",
      "{horizontal-rule}",
      "{callout tip: Mind the <em>step</>; bullet 1: here}",
      "blockquote: quoted",
    ],
  },
  "an address of a film": {
    text: "https://youtu.be/dQw4w9WgXcQ",
    gives: ["{embed: https://youtu.be/dQw4w9WgXcQ}", "normal: "],
  },
};
