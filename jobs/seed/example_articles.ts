/**
 * The articles of the example site.
 *
 * @module
 */

/** An article's words. */
export interface ArticleText {
  slug: string;
  title: string;
  standfirst: string;
  section: string;
  tags: string[];
  /** Slug of the author. */
  author: string;
  /** Name of a picture. */
  cover: string;
  paragraphs: string[];
  /** Published when left out. */
  status?: "draft" | "scheduled" | "archived";
}

type Row = [
  slug: string,
  title: string,
  section: string,
  tags: string[],
  author: string,
  cover: string,
  standfirst: string,
  paragraphs: string[],
  status?: ArticleText["status"],
];

const ROWS: Row[] = [
  [
    "the-lamp-that-stayed-on",
    "The lamp that stayed on",
    "Light",
    ["essay", "night"],
    "ines-moreau",
    "lamp",
    "For forty years a lamp has burned at the end of the pier. Nobody pays for it.",
    [
      "The lamp at the end of the pier has no switch. It has a cable, and the cable goes into the water.",
      "Ask in the harbour office and you are shown a ledger in which the lamp is called an agreement.",
      "## An agreement with whom?",
      "The last harbour master who knew took the answer with him, together with the key of the tide gauge.",
      "So the lamp stays on, and ships that need no lamp any more go round it as if it were a person.",
    ],
  ],
  [
    "how-to-read-a-barometer",
    "How to read a barometer",
    "Weather",
    ["how-to", "history"],
    "tomas-lind",
    "storm",
    "It says change. It always says change. What it means is written in how fast.",
    [
      "A barometer has one hand that moves and one that remembers. The second is the important one.",
      "- Set the memory in the evening.",
      "- Tap the glass in the morning, gently.",
      "- Write down the difference, not the number.",
      "After a year you own a forecast for exactly one house.",
    ],
  ],
  [
    "a-clock-in-forty-parts",
    "A clock in forty parts",
    "Machines",
    ["repair", "how-to"],
    "hana-okafor",
    "workshop",
    "Taking a clock apart is easy. So is putting it together, if you let it tell you the order.",
    [
      "Lay the parts on a white cloth from left to right as they come out.",
      "## The part that is left over",
      "There is always one. Keep it: it belongs to the last repair, and whoever made it is still sorry.",
    ],
  ],
  [
    "the-minute-after-sunset",
    "The minute after sunset",
    "Light",
    ["essay", "night"],
    "jonas-weiss",
    "ridge",
    "Photographers pack up when the sun is down. That is a minute too early.",
    [
      "When the disc is gone the colours stop shouting and begin to talk to each other.",
      "The meter will say that there is nothing left. The meter is made for noon.",
    ],
  ],
  [
    "walking-the-long-coast",
    "Walking the long coast",
    "Places",
    ["coast", "essay"],
    "mei-tanaka",
    "harbour",
    "Two hundred kilometres, eleven lighthouses, one pair of shoes.",
    [
      "A coast is longer the more slowly you walk it; cartographers call this a problem.",
      "I call it a reason to stop for tea at every one of the eleven lighthouses.",
      "The ninth had no light and two keepers, who agreed on nothing but the tea.",
    ],
  ],
  [
    "dear-washing-machine",
    "Dear washing machine",
    "Machines",
    ["essay"],
    "samuel-reyes",
    "signal",
    "A letter about the eleventh sock.",
    [
      "You have eaten eleven socks, and I have forgiven you ten.",
      "The eleventh had a fox on it. You know what you did.",
    ],
  ],
  [
    "signals-in-fog",
    "Signals in fog",
    "Weather",
    ["history", "coast"],
    "tomas-lind",
    "signal",
    "Before radar there were horns, bells and a man with a good memory for echoes.",
    [
      "In fog a captain steered by the time that his own whistle took to come back from the cliff.",
      "There were tables for this. The best of them were songs.",
    ],
  ],
  [
    "the-observatory-next-door",
    "The observatory next door",
    "Places",
    ["interview", "night"],
    "mei-tanaka",
    "observatory",
    "It opens on clear Fridays, and only the neighbours know.",
    [
      "The dome is a grain silo, the telescope is older than the road, and the keeper is twelve.",
      "“Saturn is best,” she says. “It looks like a mistake.”",
    ],
  ],
  [
    "mending-a-switch",
    "Mending a switch",
    "Machines",
    ["repair", "how-to"],
    "hana-okafor",
    "lamp",
    "The part that fails is the part that is touched.",
    [
      "Disconnect it first. Then disconnect it again, because the first time was the wrong one.",
      "A drop of alcohol on the contacts, a little patience, and the click comes back.",
    ],
  ],
  [
    "rain-on-a-tin-roof",
    "Rain on a tin roof",
    "Weather",
    ["essay"],
    "ines-moreau",
    "storm",
    "An attempt to write down a sound.",
    [
      "It begins as typing and ends as applause.",
      "In between there is a passage for which no instrument was ever built, except the roof.",
    ],
  ],
  [
    "eleven-kinds-of-dark",
    "Eleven kinds of dark",
    "Light",
    ["night", "essay"],
    "jonas-weiss",
    "observatory",
    "There is the dark of cellars, and there is the dark between two street lamps.",
    [
      "A cellar is dark like a closed book; a field is dark like an open one.",
      "The kindest dark is that of a theatre, which has promised to end.",
    ],
  ],
  [
    "the-last-typewriter-shop",
    "The last typewriter shop",
    "Machines",
    ["interview", "history", "repair"],
    "samuel-reyes",
    "workshop",
    "He sells ribbons, springs and second thoughts.",
    [
      "“People come for the sound,” he says, “and stay because it cannot ring.”",
      "On the wall hang forty letters e. It is always the e.",
    ],
  ],
  [
    "a-map-of-puddles",
    "A map of puddles",
    "Places",
    ["how-to"],
    "mei-tanaka",
    "garden",
    "After rain the city shows its true heights.",
    [
      "Draw the puddles, not the streets, and you will find the old river by lunch.",
      "By evening the map is wrong, which is what makes it worth drawing again.",
    ],
  ],
  [
    "lighting-a-room-with-one-candle",
    "Lighting a room with one candle",
    "Light",
    ["how-to", "night"],
    "ines-moreau",
    "garden",
    "Put it where the window was.",
    [
      "A room expects light from one side. Give it a candle on that side and it will do the rest.",
      "- White cloth behind.",
      "- Water in front.",
      "- Nobody in between.",
    ],
  ],
  [
    "wind-by-ear",
    "Wind by ear",
    "Weather",
    ["how-to", "coast"],
    "tomas-lind",
    "ridge",
    "Every force of the scale has its own consonant.",
    [
      "Force two is an f, force five an s, and at nine the wind begins to use vowels.",
      "At ten you should no longer be listening.",
    ],
  ],
  [
    "the-bridge-keeper",
    "The bridge keeper",
    "Places",
    ["interview", "coast"],
    "jonas-weiss",
    "harbour",
    "He lifts a road twice a day, and lowers it more gently than he must.",
    ["The bridge weighs four hundred tons. He moves it with a wheel the size of a plate."],
    "scheduled",
  ],
  [
    "what-the-tide-left",
    "What the tide left",
    "Places",
    ["coast"],
    "mei-tanaka",
    "ridge",
    "Notes for a piece about things that come back.",
    ["A boot. A door. Eleven oranges."],
    "draft",
  ],
  [
    "the-old-weather-room",
    "The old weather room",
    "Weather",
    ["history"],
    "tomas-lind",
    "storm",
    "We moved out in spring. The weather did not notice.",
    ["The maps stayed on the wall, a week of pressure that is still going on there."],
    "archived",
  ],
];

/** All articles, oldest first. */
export const ARTICLE_TEXTS: readonly ArticleText[] = ROWS.map((row) => {
  const [slug, title, section, tags, author, cover, standfirst, paragraphs, status] = row;
  const words = { slug, title, standfirst, section, tags, author, cover, paragraphs };
  return status === undefined ? words : { ...words, status };
});
