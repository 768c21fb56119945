/**
 * Short pages about an imaginary town, to be searched for: several on each subject, so that words recur.
 *
 * @module
 */

/** Title and body, one page a line, with a bar between them. */
const PAGES = `
Opening hours of the town library | The library opens at nine and closes at seven. On Saturdays it closes at noon, and on public holidays the reading room stays shut.
Borrowing books and recordings | A reader may borrow ten books for four weeks. Recordings and board games are lent for one week; a loan is renewed once unless somebody waits for it.
Library card for children | Children under twelve receive a library card without a fee when a parent signs the form. The card is valid in every branch of the county.
Late fees and lost books | A book that comes back late costs twenty cents a day. Lost books are replaced by the borrower or paid for at their present price.
The history of the old harbour | Sailing ships unloaded salt and timber in the old harbour until the railway came. Its stone quays were restored by volunteers in the nineties.
Harbour ferry timetable | The ferry crosses the harbour every thirty minutes from six in the morning. In storms the crossing is cancelled and a bus goes around the bay.
Mooring a boat in the marina | Visitors report to the harbour master before mooring. Boats longer than fifteen metres need a berth at the outer pier.
The lighthouse and its keepers | For a century four families kept the lighthouse burning. Its lamp turned on a bath of mercury and could be seen for eighteen nautical miles.
Visiting the lighthouse | Guided visits climb two hundred and seven steps. Sturdy shoes are advised, and small children must hold a hand on the spiral staircase.
Weekly market in the square | Farmers sell cheese, bread and vegetables in the square each Thursday. Stalls are put up before dawn and the street is closed to cars.
Renting a market stall | A stall is rented by the season. Traders of food show their hygiene certificate and bring scales that have been tested.
Christmas market | Candles, gingerbread and carved toys are sold under strings of light in December. A choir sings from the balcony of the town hall.
Recycling and household waste | Paper and glass are collected every second week. Batteries, paint and electrical devices belong to the collection point by the depot.
Compost for your garden | The town gives away ripe compost each spring. Bring your own sacks; a shovel can be borrowed at the gate.
Reporting a broken street lamp | Tell us the number on the lamp post and what you have seen. A repair crew comes within five working days.
Parking permits for residents | Residents receive a permit for one vehicle per household. The permit is bound to a zone and a number plate.
Cycling paths along the river | A paved path follows the river for twenty kilometres. Cyclists give way to walkers near the mill and the footbridge.
Renting a bicycle | Bicycles are rented at the station by the hour or the day. Helmets, child seats and trailers cost nothing extra.
The water mill museum | The restored mill grinds wheat on the first Sunday of the month. Visitors take a small bag of flour home.
How the water works clean the river | Sand filters and ultraviolet light make river water drinkable. The plant supplies forty thousand people and publishes its measurements.
Flood warning levels | At level two the lower meadow is closed. At level three sandbags are handed out and the footbridge is taken away.
Public swimming pool | The outdoor pool opens in May. Lanes for swimmers are kept free in the morning, and the diving tower is watched by a guard.
Swimming lessons for beginners | Lessons take ten evenings. Beginners learn to float, to breathe and to cross the pool without fear.
The botanical garden | More than three thousand plants grow in the garden, among them a cactus house and a collection of medicinal herbs.
Greenhouse concerts | Chamber music sounds among palm trees on winter evenings. Tickets include a glass of punch.
The town orchestra | Eighty amateurs rehearse every Tuesday. New violins and bassoons are most welcome after a short audition.
Learning an instrument at the music school | The music school teaches piano, cello, trumpet and percussion. Instruments can be hired during the first year.
Open air cinema | Films are shown on the castle lawn in August. When it rains the audience moves into the riding hall.
The castle on the hill | Nobody knows who built the first tower. Fires, a siege and a lottery left a castle with five wings and no chapel.
Getting married in the castle | The registrar marries couples in the mirror hall on Fridays. Confetti is forbidden because of the peacocks.
Registering a birth | A birth is registered within a week. Bring the certificate of the hospital and the passports of both parents.
Applying for a passport | Passports are applied for in person with a biometric photograph. An express passport takes three working days.
Voting by post | Whoever is away on election day may vote by post. The ballot is sealed in two envelopes and must arrive before six.
How the council works | Thirty-one councillors are elected for five years. Meetings are public, and minutes are published after approval.
The budget explained | Two thirds of the budget pay for schools, roads and nursing. The rest is debated every November, line by line.
Kindergarten places | Places are given by date of birth and by need. Applications for autumn are accepted until the end of February.
School meals | Meals are cooked fresh in the school kitchen. Vegetarian dishes are always offered, and allergies are taken seriously.
Evening classes for adults | Classes in languages, pottery and bookkeeping begin in September. Pensioners and students pay half.
The volunteer fire brigade | Sixty volunteers answer the siren at any hour. They train with ladders, hydraulic shears and a smoke chamber.
What to do when the siren sounds | Go indoors, close the windows and listen to the radio. Do not telephone the brigade unless you are in danger.
First aid courses | A course takes one day and covers bandages, resuscitation and the use of a defibrillator.
The district hospital | Emergencies are treated around the clock. Visitors are welcome in the afternoon; flowers are not allowed in intensive care.
Beekeeping on the roof of the town hall | Four hives stand on the roof. Their honey is sold in aid of the youth centre, and the swarm has a camera.
Walking your dog | Dogs run free in the northern meadow. Elsewhere they are kept on a leash, and bags hang at every entrance.
The astronomical clock | Every noon the figures of the clock go round: a miller, a fiddler and a skeleton with an hourglass.
Repairing the astronomical clock | A watchmaker climbs into the tower each month. The escapement was replaced after two centuries, and the moon still runs four minutes fast.
Weather station | The weather station measures wind, rainfall and soil temperature. Its records reach back to the year of the great frost.
Wireless internet in public places | Free wireless internet is available in the square, the library and the station. It asks for no name and keeps no logs.
Renting the community hall | The hall seats two hundred. Kitchen, stage and loudspeakers are included, and everything is clean again by Sunday noon.
The pottery of the upper valley | Potters of the valley are known for a blue glaze made of cobalt and ash. Their kilns are fired together once a year.
Mushroom season in the forest | Each person may gather one basket. An expert checks mushrooms at the forester's lodge and throws the poisonous ones away.
Wolves in the forest | Two wolves have lived in the forest since last winter. Sheep are guarded by donkeys and an electric fence.
Crème brûlée du marché | La crèmerie du marché prépare une crème brûlée à la lavande. La recette vient d'un café près de l'église.
Un été à la rivière | En été, les élèves apprennent à pagayer. Le départ a lieu près du pont, à côté de l'hôtel.
Straßenbahn und Fahrkarten | Die Straßenbahn fährt alle zehn Minuten. Fahrkarten gibt es am Automaten, Schüler fahren kostenlos.
Żółta łódź | Żółta łódź pływa po jeziorze od maja. Bilety są sprzedawane na przystani.
Smörgåsbord på torget | Varje lördag dukas ett smörgåsbord upp på torget. Ta med egen tallrik och gott humör.
Ελληνική ταβέρνα | Η ταβέρνα σερβίρει φρέσκο ψάρι κάθε βράδυ. Μουσική παίζει την Κυριακή.
Русская библиотека | Русская библиотека открыта по средам. Книги для детей стоят у окна.
図書館の開館時間 | 町の図書館は午前九時に開館し、午後七時に閉館します。祝日は休館です。
港のフェリー時刻表 | フェリーは三十分ごとに港を出発します。嵐の日は運休となります。
植物园开放时间 | 植物园每天上午八点开放，温室里有仙人掌和药草。学生门票半价。
老港口的历史 | 铁路开通以前，帆船在老港口卸下盐和木材。石砌码头由志愿者修复。
ตลาดนัดวันพฤหัสบดี | ชาวนาขายผักและขนมปังที่ตลาดทุกวันพฤหัสบดี ถนนปิดไม่ให้รถผ่าน
도서관 이용 안내 | 도서관에서 책을 열 권까지 빌릴 수 있습니다. 공휴일에는 문을 닫습니다.
`;

/** A page to be searched for. */
export interface SearchPage {
  title: string;
  body: string;
}

/** All pages. */
export const SEARCH_PAGES: readonly SearchPage[] = PAGES.trim().split("\n").map((line) => {
  const [title, body] = line.split(" | ") as [string, string];
  return { title, body };
});
