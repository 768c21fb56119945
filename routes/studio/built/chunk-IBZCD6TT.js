function y({attrs:n}){let e=n.raw?._key??n.key;return typeof e=="string"&&e!==""?e:null}export{y as a};
