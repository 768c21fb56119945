var _=1e6;var A=32;var o=2048;var t=6;export{_ as a,A as b,o as c,t as d};
