var wp=Object.defineProperty;var T=(e,t,n)=>()=>{if(n)throw n[0];try{return e&&(t=e(e=0)),t}catch(o){throw n=[o],o}};var Ce=(e,t)=>{for(var n in t)wp(e,n,{get:t[n],enumerable:!0})};function wt(e){e&&e.parentNode&&e.remove()}function wi(e,t,n){var o,r,s,a={},l=arguments.length;for(s in t)s=="key"?o=t[s]:s=="ref"&&typeof e!="function"?r=t[s]:a[s]=t[s];return l>2&&(a.children=l>3?ks.call(arguments,2):n),bn(e,a,o,r,null)}function bn(e,t,n,o,r){var s={type:e,props:t,key:n,ref:o,__k:null,__:null,__b:0,__e:null,__c:null,constructor:yn,__v:r||++bi,__i:-1,__u:0};return!r&&de.vnode&&de.vnode(s),s}function ct(e){return e.children}function so(e,t){this.props=e,this.context=t,this.__g=0}function lt(e,t){if(t==null)return e.__&&lt(e.__,e.__i+1);for(var n;t<e.__k.length;t++)if((n=e.__k[t])&&n.__e)return n.__e;return typeof e.type!="function"||e.props.__P?null:lt(e)}function Sp(e){var t,n=e.__v,o=n.__e,r=[],s=[],a=e.__P;a&&((t=vt({constructor:yn},n)).__v=n.__v+1,de.vnode&&de.vnode(t),Ss(a,t,n,e.__n,a.namespaceURI,32&n.__u?[o]:null,r,o||lt(n),32&n.__u,s),t.__v=n.__v,t.__.__k[t.__i]=t,Mi(r,t,s),n.__=n.__e=null,t.__e!=o&&vi(t))}function vi(e){if((e=e.__)&&e.__c&&!e.props.__P)return e.__e=null,e.__k.some(function(t){return t&&(e.__e=t.__e)}),vi(e)}function _s(e){(8&e.__g||(e.__g|=8,at.push(e),io++))&&ys==de.debounceRendering||((ys=de.debounceRendering)||queueMicrotask)(ki)}function ki(){try{for(var e,t=1;at.length;)at.length>t&&at.sort(yi),e=at.shift(),t=at.length,8&e.__g&&Sp(e)}finally{(io=at.length)&&(ys||queueMicrotask)(ki)}}function Si(e,t,n,o,r,s,a,l,c,d,u){var p,$,f,g,b,C,A=o.__k||lo,_=t.length;for(c=Ep(n,t,A,c,_),p=0;p<_;p++)(f=n.__k[p])!=null&&($=~f.__i&&A[f.__i]||ao,f.__i=p,C=Ss(e,f,$,r,s,a,l,c,d,u),g=f.__e,($.ref!=f.ref||8&$.__u)&&($.ref&&Es($.ref,null,f,$),f.ref&&u.push(f.ref,f.__c||g,f)),b=b||g,4&f.__u?(c=Ei(f,c,e,!$.__v),$.__e&&($.__e=null)):typeof f.type=="function"&&C!==void 0?c=C:g&&(c=g.nextSibling),f.__u&=-21);return n.__e=b,c}function Ep(e,t,n,o,r){var s,a,l,c,d,u,p,$,f,g=n.length,b=g,C=0,A=0,_=e.__k=Array(r);for(s=0;s<r;s++)(a=t[s])!=null&&typeof a!="boolean"&&typeof a!="function"?(typeof a!="object"||a.constructor===String?a=_[s]=bn(null,a):vs(a)?a=_[s]=bn(ct,{children:a}):a.constructor===yn&&a.__b?a=_[s]=bn(a.type,a.props,a.key,a.ref,a.__v):_[s]=a,c=s+C,a.__=e,a.__b=e.__b+1,l=null,~(d=a.__i=Tp(a,n,c,b))&&(b--,(l=n[d])&&(l.__u|=2)),l&&l.__v?(a.__u|=16,d==c-1?C--:d==c+1?C++:d!=c&&(d>c?C--:C++,A=1)):(~d||(r>g?C--:r<g&&C++),typeof a.type!="function"&&(a.__u|=4))):_[s]=null;if(A){for(u=[],p=[],s=0;s<r;s++)if((a=_[s])&&16&a.__u){for(C=0,$=u.length;C<$;)u[f=C+$>>1]<a.__i?C=f+1:$=f;u[C]=a.__i,p[s]=C+1}for(C=u.length;s--;)p[s]&&(p[s]==C?C--:_[s].__u|=4)}if(b)for(s=0;s<g;s++)!(l=n[s])||2&l.__u||(l.__e==o&&(o=lt(l)),Ts(l,l));return o}function Ei(e,t,n,o){var r,s,a,l;if(typeof e.type=="function"){if(e.props.__P)return t;if(r=e.__k)for(s=0;s<r.length;s++)r[s]&&(r[s].__=e,t=Ei(r[s],t,n,!1));return t}for(t&&!t.parentNode&&(t=lt(e))&&!t.parentNode&&(t=null),a=e.__e,l=t;l&&l.nodeType==8;)l=l.nextSibling;for(a!=l&&(!o&&n.moveBefore&&a.parentNode?n.moveBefore(a,t):n.insertBefore(a,t||null)),t=a;(t=t&&t.nextSibling)&&t.nodeType==8&&!t.data.startsWith("$s"););return t}function Tp(e,t,n,o){var r,s=e.key,a=e.type,l=t[n],c=l&&!(2&l.__u);if(l===null&&s==null||c&&s==l.key&&a==l.type)return n;if(o>(c?1:0)){for(r=n-1;r>=0;r--)if((l=t[r])&&!(2&l.__u)&&s==l.key&&a==l.type)return r;for(r=n+1;r<t.length;r++)if((l=t[r])&&!(2&l.__u)&&s==l.key&&a==l.type)return r}return-1}function gi(e,t,n){n==null&&(n=""),t[0]=="-"?e.setProperty(t,n):e[t]=n}function no(e,t,n,o,r){var s,a;if(t=="style")if(typeof n=="string")e.style.cssText=n;else{if(typeof o=="string"&&(e.style.cssText=o=""),o)for(t in o)n&&t in n||gi(e.style,t);if(n)for(t in n)o&&n[t]==o[t]||gi(e.style,t,n[t])}else if(t[0]=="o"&&t[1]=="n")typeof n!="function"&&(n=null),typeof o!="function"&&(o=null),(e.__e||(e.__e={}))[t]=n,n&&o||(a=xs[t]||(xs[t]=Mp(t)),(e.__a||(e.__a={}))[t]=ws,s=t!=(t=t.replace(xi,"$1")),(t=t.slice(2))[0]<"a"&&(t=t.toLowerCase()),n?e.addEventListener(t,a,s):e.removeEventListener(t,a,s));else{if(r=="http://www.w3.org/2000/svg")t=t.replace(/xlink(H|:h)/,"h").replace(/sName$/,"s");else if(t!="width"&&t!="height"&&t!="href"&&t!="list"&&t!="form"&&t!="tabIndex"&&t!="download"&&t!="rowSpan"&&t!="colSpan"&&t!="role"&&t!="popover"&&t in e)try{return void(e[t]=n??"")}catch{}if(typeof n=="function")return;n==null||n===!1&&t[4]!="-"?e.removeAttribute(t):e.setAttribute(t,t=="popover"&&n==1?"":n)}}function Mp(e){return function(t){var n=this.__e;if(n){if(n=n[e],t[oo]==null)t[oo]=ws++;else if(t[oo]<this.__a[e])return;return n(de.event?de.event(t):t)}}}function Ss(e,t,n,o,r,s,a,l,c,d){var u,p,$,f,g,b,C,A,_,M,E,F,G,O,P,N,W,Q,ee=t.type;if(t.constructor!==yn)return null;128&n.__u&&(c=32&n.__u,u=n.__c.__z)&&(t.__u|=c,p=s=[],u.nodeType==8?l=ro(u,s):s.push(u),l=s[0]||l),(u=de.__b)&&u(t);e:if(typeof ee=="function"){$=a.length;try{if(A=t.props,_=(u=ee.prototype)&&u.render,M=(u=ee.contextType)&&o[u.__c],E=u?M?M.props.value:u.__:o,(f=n.__c)?(t.__c=f,2&f.__g&&(f.__g|=1)):(_?t.__c=f=new ee(A,E):(t.__c=f=new so(A,E),f.constructor=ee,f.render=Ap),M&&M.sub(f),f.state||(f.state={}),f.__n=o,f.__g|=8,f.__h=[],f.__k=[]),_&&(f.__s||(f.__s=f.state),ee.getDerivedStateFromProps&&(f.__s==f.state&&(f.__s=vt({},f.__s)),vt(f.__s,ee.getDerivedStateFromProps(A,f.__s)))),g=f.props,b=f.state,f.__v=t,n.__c){if(A!==g&&_&&!ee.getDerivedStateFromProps&&f.componentWillReceiveProps&&f.componentWillReceiveProps(A,E),t.__v==n.__v&&!(8&f.__g)||!(4&f.__g)&&f.shouldComponentUpdate&&f.shouldComponentUpdate(A,f.__s,E)===!1){t.__v!=n.__v&&(f.props=A,f.state=f.__s,f.__g&=-9),t.__e=n.__e,t.__k=n.__k,t.__k.some(function(q){q&&(q.__=t)}),lo.push.apply(f.__h,f.__k),f.__k=[],f.__h.length&&a.push(f),l=lt(n);break e}f.componentWillUpdate&&f.componentWillUpdate(A,f.__s,E),_&&f.componentDidUpdate&&f.__h.push(function(){f.componentDidUpdate(g,b,C)})}else _&&!ee.getDerivedStateFromProps&&f.componentWillMount&&f.componentWillMount(),_&&f.componentDidMount&&f.__h.push(f.componentDidMount);f.context=E,f.props=A,f.__P=e,f.__g&=-5,F=de.__r,G=_?25:0;do f.__g&=-9,F&&F(t),u=f.render(f.props,f.state=f.__s,f.context);while(8&f.__g&&++G<25);_&&(lo.push.apply(f.__h,f.__k),f.__k=[]),f.state=f.__s,f.getChildContext&&(o=vt({},o,f.getChildContext())),_&&n.__c&&f.getSnapshotBeforeUpdate&&(C=f.getSnapshotBeforeUpdate(g,b)),O=u&&u.type===ct&&u.key==null?u.props.children:u,A.__P&&(u=l,r=(e=A.__P).namespaceURI,c=s=null,n.props&&n.props.__P!=e&&(n.__k.some(function(q){q&&Ts(q,q)}),n.__k=null),l=n.__k?lt(n,0):null),l=Si(e,vs(O)?O:[O],t,n,o,r,s,a,l,c,d),A.__P&&(t.__e=null,l=u),t.__u&=-161,p&&p.some(wt),f.__h.length&&a.push(f),1&f.__g&&(f.__g&=-4)}catch(q){if(a.length=$,t.__v=null,c||s)if(q&&q.then){if(t.__u|=128|c,s){for(~(W=s.indexOf(l||void 0))||(W=s.length);(Q=s[W-1])&&Q.nodeType==8;)W--;for(;W<s.length;W++)if(Q=s[W])if(s[W]=null,P){if(Q==N)break}else{if(Q.nodeType!=8)break;Q.data.startsWith("$s")&&(N=ro(P=Q))}}if(!P){for(;l&&l.nodeType==8&&l.nextSibling;)l=l.nextSibling;P=l}(u=ro(P=t.__c.__z||(t.__c.__z=P)))?(t.__e=P,l=u):t.__e=l,l=l&&l.nextSibling}else s&&s.some(wt);else t.__e=n.__e;t.__k||(t.__k=n.__k||[]),q&&q.then||Ti(t),de.__e(q,t,n)}}else l=t.__e=Cp(n.__e,t,n,o,r,s,a,c,d,e);return(u=de.diffed)&&u(t),l}function ro(e,t){if(e&&e.nodeType==8&&e.data.startsWith("$s"))for(var n=1;e=e.nextSibling;){if(e.nodeType==8){if(e.data.startsWith("$s"))n++;else if(e.data.startsWith("/$s")&&!--n)return e}t&&t.push(e)}}function Ti(e){e&&(e.__c&&(e.__c.__g|=4),e.__k&&e.__k.some(Ti))}function Mi(e,t,n){for(var o=0;o<n.length;)Es(n[o++],n[o++],n[o++]);de.__c&&de.__c(t,e),e.some(function(r){try{e=r.__h,r.__h=[],e.some(function(s){s.call(r)})}catch(s){de.__e(s,r.__v)}})}function Cp(e,t,n,o,r,s,a,l,c,d){var u,p,$,f,g,b,C,A,_=n.props||ao,M=t.props,E=t.type;if(E=="svg"?r="http://www.w3.org/2000/svg":E=="math"?r="http://www.w3.org/1998/Math/MathML":r||(r="http://www.w3.org/1999/xhtml"),s){for(u=0;u<s.length;u++)if((g=s[u])&&(E?g.localName==E:g.nodeType==3)){e=g,s[u]=null;break}}if(!e){if(A=d.ownerDocument||document,!E)return A.createTextNode(M);e=A.createElementNS(r,E,M.is?M:d),l&&(de.__m&&de.__m(t,s),l=!1),s=null}if(E){if(d=E=="template"&&e.content||e,s=E=="textarea"&&M.defaultValue!=null?null:s&&ks.call(d.childNodes),!l&&s)for(_={},u=0;u<e.attributes.length;u++)_[(g=e.attributes[u]).name]=g.value;for(u in _)g=_[u],u=="dangerouslySetInnerHTML"?$=g:u=="children"||u in M||u=="value"&&"defaultValue"in M||u=="checked"&&"defaultChecked"in M||no(e,u,null,g,r);for(u in M)g=M[u],u=="children"?f=g:u=="dangerouslySetInnerHTML"?p=g:u=="value"?b=g:u=="checked"?C=g:l&&typeof g!="function"||_[u]===g||no(e,u,g,_[u],r);p?(l||$&&(p.__html==$.__html||p.__html==e.innerHTML)||(e.innerHTML=p.__html),t.__k=[]):($&&(e.textContent=""),(E=="foreignObject"||r=="http://www.w3.org/1998/Math/MathML"&&kp.test(E))&&(r="http://www.w3.org/1999/xhtml"),Si(d,vs(f)?f:[f],t,n,o,r,s,a,s?s[0]:n.__k&&lt(n,0),l,c),s&&s.some(wt)),l&&E!="textarea"||(u="value",E=="progress"&&b==null?e.removeAttribute(u):b==null||b===e[u]&&(E!="progress"||b)||no(e,u,b,_[u],r),u="checked",C!=null&&C!=e[u]&&no(e,u,C,_[u],r))}else _===M||l&&e.data==M||(e.data=M);return e}function Es(e,t,n,o){try{typeof e=="function"?t?t.__x=e(t)||1:o&&(o=o.__c||o.__e)&&(t=o.__x)&&(o.__x=null,typeof t=="function"?t():e(null)):e.current=t}catch(r){de.__e(r,n)}}function Ts(e,t,n){var o,r,s,a;if(de.unmount&&de.unmount(e),!(o=e.ref)||o.current&&o.current!=e.__e||Es(o,null,t,e),o=e.__c){if(o.componentWillUnmount)try{o.componentWillUnmount()}catch(l){de.__e(l,t)}o.__P=o.__n=null}if(o=e.__k)for(a=0;a<o.length;a++)o[a]&&Ts(o[a],t,typeof e.type!="function"||n&&!e.props.__P);!n&&(o=e.__c)&&(o=o.__z)&&(r=ro(o,s=[]))&&(o==e.__e&&s.some(wt),wt(r),wt(o)),n||wt(e.__e),e.__e=e.__c=e.__=null}function Ap(e,t,n){return this.constructor(e,n)}function Ms(e,t){var n,o,r,s;de.__&&de.__(e,t),t.nodeType==9&&(t=t.documentElement),o=(n=e&&32&e.__u)?null:t.__k,t.__k=bn(ct,{children:[e]}),r=[],s=[],Ss(t,t.__k,o||ao,ao,t.namespaceURI,o?null:t.firstChild?ks.call(t.childNodes):null,r,o?o.__e:t.firstChild,n,s),Mi(r,t.__k,s),t.__k.props.children=null}function xn(e){function t(n){var o,r;return this.getChildContext||(o=new Set,(r={})[t.__c]=this,this.getChildContext=function(){return r},this.shouldComponentUpdate=function(s){this.props.value!=s.value&&o.forEach(function(a){a.__g|=4,_s(a)})},this.sub=function(s){o.add(s);var a=s.componentWillUnmount;s.componentWillUnmount=function(){o.delete(s),a&&a.call(s)}}),n.children}return t.__c="__cC"+_i++,t.__=e,t.Provider=(t.Consumer=function(n,o){return n.children(o)}).contextType=t,t}var de,bi,vp,at,ys,io,yi,oo,xi,ws,xs,_i,yn,ao,lo,kp,vs,ks,vt,Cs=T(()=>{yn=Symbol.for("pv"),ao={},lo=[],kp=/^m(i|n|o|s|text|space)$/,vs=Array.isArray,ks=lo.slice,vt=Object.assign;de={__e:function(e,t,n,o){for(var r,s,a;t=t.__;)if((r=t.__c)&&!(1&r.__g)){r.__g|=4;try{if((a=(s=r.constructor)&&s.getDerivedStateFromError)&&r.setState(s.getDerivedStateFromError(e)),r.componentDidCatch&&(r.componentDidCatch(e,o||{}),a=1),a&&8&r.__g)return void(r.__g|=2)}catch(l){e=l}}throw io=0,e}},bi=0,vp=function(e){return e!=null&&e.constructor===yn},so.prototype.setState=function(e,t){var n=this.__s;n&&n!=this.state||(n=this.__s=vt({},this.state)),typeof e=="function"&&(e=e(vt({},n),this.props)),e&&(vt(n,e),this.__v&&(t&&this.__k.push(t),_s(this)))},so.prototype.forceUpdate=function(e){this.__v&&(this.__g|=4,e&&this.__h.push(e),_s(this))},so.prototype.render=ct,at=[],io=0,yi=function(e,t){return e.__v.__b-t.__v.__b},oo=Symbol(),xi=/(PointerCapture)$|Capture$/i,ws=0,xs={},_i=0});function Oi(e){var t=Ci.get(this);return t||(t=new Map,Ci.set(this,t)),(t=Ai(this,t.get(e)||(t.set(e,t=(function(n){for(var o,r,s=1,a="",l="",c=[0],d=function($){s===1&&($||(a=a.replace(/^\s*\n\s*|\s*\n\s*$/g,"")))?c.push(0,$,a):s===3&&($||a)?(c.push(3,$,a),s=2):s===2&&a==="..."&&$?c.push(4,$,0):s===2&&a&&!$?c.push(5,0,!0,a):s>=5&&((a||!$&&s===5)&&(c.push(s,0,a,r),s=6),$&&(c.push(s,$,0,r),s=6)),a=""},u=0;u<n.length;u++){u&&(s===1&&d(),d(u));for(var p=0;p<n[u].length;p++)o=n[u][p],s===1?o==="<"?(d(),c=[c],s=3):a+=o:s===4?a==="--"&&o===">"?(s=1,a=""):a=o+a[0]:l?o===l?l="":a+=o:o==='"'||o==="'"?l=o:o===">"?(d(),s=1):s&&(o==="="?(s=5,r=a,a=""):o==="/"&&(s<5||n[u][p+1]===">")?(d(),s===3&&(c=c[0]),s=c,(c=c[0]).push(2,0,s),s=0):o===" "||o==="	"||o===`
`||o==="\r"?(d(),s=2):a+=o),s===3&&a==="!--"&&(s=4,c=c[0])}return d(),c})(e)),t),arguments,[])).length>1?t:t[0]}var Ai,Ci,Ii=T(()=>{Ai=function(e,t,n,o){var r;t[0]=0;for(var s=1;s<t.length;s++){var a=t[s++],l=t[s]?(t[0]|=a?1:2,n[t[s++]]):t[++s];a===3?o[0]=l:a===4?o[1]=Object.assign(o[1]||{},l):a===5?(o[1]=o[1]||{})[t[++s]]=l:a===6?o[1][t[++s]]+=l+"":a?(r=e.apply(l,Ai(e,l,n,["",null])),o.push(r),l[0]?t[0]|=2:(t[s-2]=0,t[s]=r)):o.push(l)}return o},Ci=new Map});function kt(e,t){ge.__h&&ge.__h(pe,e,wn||t),wn=0;var n=pe.__H||(pe.__H={__:[],__h:[]});return e>=n.__.length&&n.__.push({}),n.__[e]}function h(e){return wn=1,Ut(Hi,e)}function Ut(e,t,n){var o=kt(st++,2);if(o.t=e,!o.__c&&(o.__=[n?n(t):Hi(void 0,t),function(s){var a=(o.__N||o.__)[0],l=o.t(a,s);Os(a,l)||(o.__N=[l,o.__[1]],o.__c.setState({}))}],o.__c=pe,!pe.__f)){pe.__f=!0;var r=pe.shouldComponentUpdate;pe.shouldComponentUpdate=function(s,a,l){var c=this.__H;if(!c)return!0;var d=!1,u=this.props!=s;if(c.__.some(function($){$.__N&&(d=!0,Os($.__[0],$.__N[0])||(u=!0))}),r){var p=r.call(this,s,a,l);return d?p||u:p}return!d||u}}return o.__}function x(e,t){var n=kt(st++,3);!ge.__s&&Rs(n.__H,t)&&(n.__P=!0,n.__=e,n.u=t,pe.__H.__h.push(n))}function ke(e,t){var n=kt(st++,4);!ge.__s&&Rs(n.__H,t)&&(n.__P=!1,n.__=e,n.u=t,pe.__h.push(n))}function I(e){return wn=5,le(function(){return{current:e}},[])}function le(e,t){var n=kt(st++,7);return Rs(n.__H,t)&&(n.__=e(),n.__H=t),n.__}function be(e,t){return wn=8,le(function(){return e},t)}function St(e){var t=pe.context[e.__c],n=kt(st++,9);return n.c=e,t?(n.__==null&&(n.__=!0,t.sub(pe)),t.props.value):e.__}function Ls(e){var t=kt(st++,10),n=h();return t.__=e,pe.componentDidCatch||(pe.componentDidCatch=function(o,r){t.__&&t.__(o,r),n[1](o)}),[n[0],function(){return n[1]()}]}function Me(){var e=kt(st++,11);if(!e.__){for(var t=pe.__v;!t.__m&&t.__;)t=t.__;var n=t.__m||(t.__m=[0,0]);e.__="P"+n[0]+"-"+n[1]++}return e.__}function Op(){var e;do{for(;e=Is.shift();)try{_n(e)}catch(n){ge.__e(n,{__:(e=e.__P)&&e.__v})}for(;e=zi.shift();){var t=e.__H;if(e.__P&&t)try{t.__h.some(_n),t.__h.some(Ns),t.__h=[]}catch(n){t.__h=[],ge.__e(n,e.__v)}}}while(Is.length)}function Ip(e){var t,n=function(){clearTimeout(o),Bi&&cancelAnimationFrame(t),setTimeout(e)},o=setTimeout(n,35);Bi&&(t=requestAnimationFrame(n))}function Fi(e){e!=1&&Ni==ge.requestAnimationFrame||((Ni=ge.requestAnimationFrame)||Ip)(Op)}function _n(e){var t=pe,n=e.__c;typeof n=="function"&&(e.__c=void 0,n()),pe=t}function Ns(e){var t=pe;e.__c=e.__(),pe=t}function Rs(e,t){return!e||e.length!=t.length||t.some(function(n,o){return!Os(n,e[o])})}function Hi(e,t){return typeof t=="function"?t(e):t}var st,pe,As,Ni,Os,wn,zi,Is,ge,Li,Ri,Di,Pi,ji,qi,Bi,Ui=T(()=>{Cs();Os=Object.is,wn=0,zi=[],Is=[],ge=de,Li=ge.__b,Ri=ge.__r,Di=ge.diffed,Pi=ge.__c,ji=ge.unmount,qi=ge.__;ge.__b=function(e){pe=null,Li&&Li(e)},ge.__=function(e,t){e&&t.__k&&t.__k.__m&&(e.__m=t.__k.__m),qi&&qi(e,t)},ge.__r=function(e){Ri&&Ri(e),st=0;var t=(pe=e.__c).__H;t&&(As==pe?pe.__h=[]:(t.__h.some(_n),t.__h.some(Ns),st=0),t.__h=[],t.__.some(function(n){n.__N&&(n.__=n.__N),n.u=n.__N=void 0})),As=pe},ge.diffed=function(e){Di&&Di(e);var t=e.__c;t&&t.__H&&(t.__H.__h.length&&Fi(zi.push(t)),t.__H.__.some(function(n){n.u&&(n.__H=n.u)})),As=pe=null},ge.__c=function(e,t){t.some(function(n){try{n.__h.some(_n),n.__h=n.__h.filter(function(o){return!o.__||Ns(o)})}catch(o){n.__h=[function(){throw o}]}}),Pi&&Pi(e,t)},ge.unmount=function(e){ji&&ji(e);var t,n,o=e.__c;o&&o.__H&&(o.__H.__.some(function(r){try{if(r.__P&&r.__c){if(n===void 0){for(n=e.__;n&&(!n.__c||!n.__c.__P);)n=n.__;n=n&&n.__c}r.__P=n,Fi(Is.push(r))}else _n(r)}catch(s){t=s}}),o.__H=void 0,t&&ge.__e(t,o.__v))};Bi=typeof requestAnimationFrame=="function"});var i,ne,v=T(()=>{Cs();Ii();Ui();i=Oi.bind(wi),ne=(...e)=>e.filter(Boolean).join(" ")});function Ds(){let e=document.activeElement?.closest("main a[href]"),t=[...document.querySelectorAll(Wi)];return{top:window.scrollY,scrolls:new Map(t.filter(n=>n.scrollTop>0).map(n=>[n.ariaLabel??"",n.scrollTop])),href:e?.getAttribute("href")??""}}function Ki(e){vn();let t=performance.now()+3e3,n=0,o=["wheel","touchstart","keydown","pointerdown"];vn=()=>{cancelAnimationFrame(n);for(let s of o)window.removeEventListener(s,vn)};let r=()=>{[Np(e.top),...[...e.scrolls].map(([a,l])=>Lp(a,l))].every(Boolean)&&Rp(e.href)||performance.now()>t?vn():n=requestAnimationFrame(r)};for(let s of o)window.addEventListener(s,vn,{passive:!0});n=requestAnimationFrame(r)}function Np(e){return Math.abs(window.scrollY-e)>1&&window.scrollTo(0,e),Math.abs(window.scrollY-e)<=1}function Lp(e,t){let o=[...document.querySelectorAll(Wi)].find(r=>r.ariaLabel===e);return o&&Math.abs(o.scrollTop-t)>1&&(o.scrollTop=t),!!o&&Math.abs(o.scrollTop-t)<=1}function Rp(e){if(!e)return!0;let n=[...document.querySelectorAll("main a[href]")].find(o=>o.getAttribute("href")===e);return n?.focus({preventScroll:!0}),!!n}var Wi,vn,Vi=T(()=>{Wi="main .virtual, main .table-scroll";vn=()=>{}});function Gi(){return{path:location.pathname,query:new URLSearchParams(location.search)}}function Ji(){Et=Gi();for(let e of js)e(Et)}function Yi(){let[e,t]=h(Et);return x(()=>(js.add(t),t(Et),()=>js.delete(t)),[]),e}function y(e,t={}){let[n,o]=e.split("?"),r=new URLSearchParams(o),s=t instanceof URLSearchParams?[...t]:Object.entries(t);for(let[l,c]of s)c===""||c===null||c===void 0||c===!1?r.delete(l):r.set(l,String(c));te()&&!r.has(Ps)&&r.set(Ps,te());let a=Dp(r);return a?`${n}?${a}`:n}function Dp(e){return e.toString().replaceAll("%3A",":").replaceAll("%2C",",").replaceAll("%2F","/")}function ce(e,{replace:t=!1}={}){let n=y(e);if(n===location.pathname+location.search)return;let o=n.split("?")[0]!==location.pathname;t||(qs.set(Wt,Ds()),Wt=String(Math.random())),history[t?"replaceState":"pushState"]({key:Wt},"",n),Ji(),o&&window.scrollTo(0,0)}function X(e,t){ce(y(Et.path+location.search,e),t)}function Xi(e,t){let n=e.split("/"),o=t.replace(/(.)\/$/,"$1").split("/");if(n.length!==o.length)return null;let r={};for(let s=0;s<n.length;s+=1)if(n[s].startsWith(":"))r[n[s].slice(1)]=Pp(o[s]);else if(n[s]!==o[s])return null;return r}function Pp(e){try{return decodeURIComponent(e)}catch{return e}}function jp(e){qs.set(Wt,Ds()),Wt=e.state?.key??"",Ji();let t=qs.get(Wt);t&&Ki(t)}function Zi(){window.addEventListener("popstate",jp),document.addEventListener("click",qp)}function qp(e){let t=e.target instanceof Element?e.target.closest("a[href]"):null;if(!(t instanceof HTMLAnchorElement)||e.defaultPrevented||e.button!==0||e.metaKey||e.ctrlKey||e.shiftKey||e.altKey||t.target||t.hasAttribute("download")||t.dataset.native!==void 0)return;let n=new URL(t.href);n.origin!==location.origin||n.hash||n.pathname==="/logout"||(e.preventDefault(),ce(n.pathname+n.search))}var Ps,js,Et,qs,Wt,Qi,te,Se,H=T(()=>{v();Vi();Ps="journal",js=new Set,Et=Gi(),qs=new Map,Wt=history.state?.key??"";Qi=()=>Et,te=()=>Et.query.get(Ps)||"",Se=()=>te().startsWith("import-")});function kn(e){try{return JSON.parse(localStorage.getItem(e)||"{}").fields||{}}catch{return{}}}function Bs(e,t){try{localStorage.setItem(e,JSON.stringify({at:Date.now(),fields:t}))}catch{}}function Fs(e){try{localStorage.removeItem(e)}catch{}}function uo(e=!1){for(let t of Object.keys(localStorage).filter(n=>n.startsWith(ea))){let{at:n=0}=JSON.parse(localStorage.getItem(t)||"{}");(e||Date.now()-n>Bp)&&localStorage.removeItem(t)}}function po(e,t){let[n,o]=h(()=>({...t,...kn(e)}));return[n,s=>{o(a=>({...a,...s})),Bs(e,{...kn(e),...s})},()=>Fs(e)]}var ea,Bp,co,Kt=T(()=>{v();H();ea="tallystick.draft.",Bp=30*864e5,co=(...e)=>ea+JSON.stringify([te(),...e])});function ta(){let e=null;document.addEventListener("focusin",t=>e=t.target instanceof Element?t.target:null),new MutationObserver(()=>{!e||e.isConnected||document.activeElement!==document.body||(e=null,document.getElementById("main")?.focus({preventScroll:!0}))}).observe(document.body,{childList:!0,subtree:!0})}var fo,$o=T(()=>{fo=()=>!document.activeElement||document.activeElement===document.body||document.activeElement.id==="main"});function $e(e,t="plain"){let n=zp+=1;na([...mo,{id:n,text:e,tone:t}]),setTimeout(()=>na(mo.filter(o=>o.id!==n)),Fp)}function na(e){mo=e;for(let t of zs)t(e)}function Hs(){let[e,t]=h(mo);return x(()=>(zs.add(t),()=>{zs.delete(t)}),[]),i`<div class="toasts" role="status" aria-live="polite">
    ${e.map(n=>i`<p key=${n.id} class=${`toast tone-${n.tone}`}>${n.text}</p>`)}
  </div>`}var Fp,mo,zp,zs,Vt=T(()=>{v();Fp=5e3,mo=[],zp=0,zs=new Set});function fe(e,t){let n=I({group:e,keys:{}});n.current={group:e,keys:Wp(t)},x(()=>(Tt.push(n),sa(),()=>{Tt.splice(Tt.indexOf(n),1),sa()}),[])}function sa(){for(let e of Ks)e(Symbol("keys"))}function Wp(e){return Object.fromEntries(Object.entries(e).filter(([,t])=>t))}function aa(){let[,e]=h(null);return x(()=>(Ks.add(e),()=>{Ks.delete(e)}),[]),Kp()}function Kp(){let e=new Map;for(let{current:t}of Tt){let n=e.get(t.group)||{};for(let[o,r]of Object.entries(t.keys))n[o]=r.label;e.set(t.group,n)}return[...e].map(([t,n])=>({group:t,keys:Object.entries(n)}))}function la(){let[e,t]=h(ho);return x(()=>(Ws.add(t),()=>{Ws.delete(t)}),[]),e}function Us(e){ho=e;for(let t of Ws)t(e)}function Tn(e){let t=e.target;return t instanceof HTMLElement&&(t.isContentEditable||t.matches("input:not([type=checkbox]):not([type=radio]), textarea, select"))}function Vp(e){return e.target instanceof HTMLElement&&e.target.matches("a[href], button, summary, input, [role=option]")}function ra(e){for(let t=Tt.length-1;t>=0;t-=1){let n=Tt[t].current.keys[e];if(n)return n}return null}function ca(){document.addEventListener("keydown",Gp,!0),document.addEventListener("keyup",e=>En&&!Tn(e)&&e.key===" "&&e.preventDefault(),!0),document.addEventListener("pointerdown",()=>En=!1,!0),document.addEventListener("keydown",Jp)}function Gp(e){if(Tn(e)&&(En=ia(e),Sn=0),!En||Tn(e))return;Sn>0&&e.timeStamp-Sn>Up||e.key==="Tab"||e.key==="Escape"?En=!1:(ia(e)||e.key==="Enter")&&(e.preventDefault(),e.stopPropagation(),Sn||$e("The field in which you typed is gone. Shortcuts wait until you stop typing."),Sn=e.timeStamp)}function ia({key:e,target:t,ctrlKey:n,metaKey:o}){return e==="Enter"?t instanceof HTMLTextAreaElement&&!n&&!o:e.length===1&&!n&&!o||e==="Backspace"||e==="Dead"||e==="Process"}function Jp(e){if(e.defaultPrevented||e.isComposing||e.altKey)return;let t=(e.metaKey||e.ctrlKey?"Ctrl+":"")+(e.key===" "?"Space":e.key);if((t==="Enter"||t==="Space")&&Vp(e))return;let n=ho&&ra(`${ho} ${t}`)||ra(t);if(clearTimeout(oa),n&&(!Tn(e)||n.typing)){Us(""),e.preventDefault(),n.run(e);return}let o=s=>s.startsWith(`${t} `),r=!Tn(e)&&Tt.some(({current:s})=>Object.keys(s.keys).some(o));Us(r?t:""),r&&(oa=setTimeout(()=>Us(""),Hp))}var Hp,Up,Tt,ho,oa,Ws,Ks,En,Sn,Ae=T(()=>{v();Vt();Hp=900,Up=1500,Tt=[],ho="",oa=0,Ws=new Set,Ks=new Set;En=!1,Sn=0});function da(e){let t=Number(e);return String(t)===e?t:new Ee(e)}var Ee,dt=T(()=>{Ee=class{constructor(t){this.source=t,Object.freeze(this)}toString(){return this.source}valueOf(){return Number(this.source)}}});function Mn(e){return Yp.test(e)?Js(e):JSON.parse(e)}function Js(e){let t=new Gs(e),n=t.value();if(t.at<e.length)throw new Mt("This is not JSON yet",t.at);return n}var Yp,Vs,ua,Qp,Mt,Gs,go=T(()=>{dt();Yp=/(?:^|[\s[:,])-?(?:\d{16,}|\d+\.\d+(?:[eE][-+]?\d+)?|\d+[eE][-+]?\d+|(?<=-)0)(?=[\s,\]}]|$)/,Vs=/[ \t\n\r]*/y,ua=/-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?/y,Qp=[["true",!0],["false",!1],["null",null]];Mt=class extends SyntaxError{constructor(t,n){super(t),this.at=n}},Gs=class{constructor(t){this.text=t,this.at=0,this.space()}value(){let t=this.text[this.at];if(t==="{")return this.object();if(t==="[")return this.array();if(t==='"')return this.string();ua.lastIndex=this.at;let n=ua.exec(this.text);if(n)return this.past(n[0].length),da(n[0]);for(let[o,r]of Qp)if(this.text.startsWith(o,this.at))return this.past(o.length),r;return this.wrong()}object(){let t={};if(this.past(1),this.took("}"))return t;do{let n=this.at;this.text[n]!=='"'&&this.wrong();let o=this.string();if(Object.hasOwn(t,o))throw new Mt(`The name ${JSON.stringify(o)} appears twice`,n);this.took(":")||this.wrong();let r=this.value();o==="__proto__"?Object.defineProperty(t,o,{value:r,enumerable:!0,configurable:!0,writable:!0}):t[o]=r}while(this.took(","));return this.took("}")?t:this.wrong()}array(){let t=[];if(this.past(1),this.took("]"))return t;do t.push(this.value());while(this.took(","));return this.took("]")?t:this.wrong()}string(){let t=this.at;do t=this.text.indexOf('"',t+1);while(t>0&&this.#e(t));if(t<0)return this.wrong();try{let n=JSON.parse(this.text.slice(this.at,t+1));return this.past(t+1-this.at),n}catch{return this.wrong()}}#e(t){let n=t;for(;this.text[n-1]==="\\";)n-=1;return(t-n)%2===1}took(t){return this.text[this.at]!==t?!1:(this.past(1),!0)}past(t){this.at+=t,this.space()}space(){this.text.charCodeAt(this.at)>32||(Vs.lastIndex=this.at,Vs.test(this.text),this.at=Vs.lastIndex)}wrong(){throw new Mt("This is not JSON yet",this.at)}}});function re(e,{indent:t=0,sorted:n=!1}={}){return pa(e,t?`
`:""," ".repeat(t),n)}function pa(e,t,n,o){if(e instanceof Ee)return e.source;if(typeof e!="object"||e===null)return JSON.stringify(e)??"null";let r=c=>pa(c,t&&t+n,n,o),[s,a]=Array.isArray(e)?"[]":"{}",l=Array.isArray(e)?e.map(r):Xp(e,o).map(c=>`${JSON.stringify(c)}:${t&&" "}${r(e[c])}`);return l.length?s+l.map(c=>(t&&t+n)+c).join(",")+t+a:s+a}function Xp(e,t){let n=Object.keys(e).filter(o=>e[o]!==void 0);return t?n.sort():n}var De=T(()=>{dt()});function Xs(){return Ys??=fetch("/session",{credentials:"same-origin"}).then(e=>e.ok?e.json():bo).catch(()=>bo).then(e=>({...bo,...e})),Ys}async function ut(){Ys=null;let e=await Xs();for(let t of Qs)t(e);return e}function Oe(){let[e,t]=h(bo);return x(()=>(Qs.add(t),Xs().then(t),()=>Qs.delete(t)),[]),e}var bo,Ys,Qs,fa,ze=T(()=>{v();bo={person:!1,name:"",journal:"",scopes:[],csrf:"",may_decide:!1,version:"",needs_login:!1},Ys=null,Qs=new Set;fa=async()=>(await Xs()).csrf});function S(e,t={},{signal:n,accept:o}={}){return $a(xo(e,t),o?{signal:n,headers:{Accept:o}}:{signal:n})}async function Te(e,t={},{key:n,params:o={}}={}){let r=typeof t=="string"?t:re(t),s={"Content-Type":typeof t=="string"?"application/x-ndjson":"application/json"},a=await fa();return a&&Object.assign(s,{"Tallystick-CSRF":a}),n&&Object.assign(s,{"Idempotency-Key":n}),$a(xo(e,o),{method:"POST",headers:s,body:r})}function xo(e,t={}){let n=new URLSearchParams;for(let[r,s]of Object.entries(t))for(let a of Array.isArray(s)?s:[s])a!==""&&a!==null&&a!==void 0&&a!==!1&&n.append(r,String(a));te()&&!n.has("journal")&&n.set("journal",te());let o=n.toString();return o?`${e}?${o}`:e}async function $a(e,t){let n=await fetch(e,{credentials:"same-origin",...t}).catch(r=>{throw r.name==="AbortError"?r:new yo({detail:"The server cannot be reached.",hint:"Is `tallystick serve` still running?"})});if(n.ok)return n.status===204?null:Mn(await n.text());n.status===401&&!e.startsWith("/login")&&location.pathname!=="/login"&&location.assign(`/login?next=${encodeURIComponent(location.pathname+location.search)}`);let o=await n.text().then(Mn).catch(()=>({title:n.statusText}));throw new yo({status:n.status,...o})}var yo,K=T(()=>{go();De();H();ze();yo=class extends Error{constructor(t){super(t.detail||t.title||"The server did not answer."),this.name="Problem",this.title=t.title||"",this.status=t.status||0,this.code=t.code||"",this.hint=t.hint||"",this.field=t.field||""}}});function ma(e,t,n){return navigator.locks?Zp(e,t):ef(t,n)}function Zp(e,t){let n=new AbortController,o=()=>{},r=()=>new Promise(s=>(o=s,t()));return navigator.locks.request(e,{signal:n.signal},r).catch(()=>{}),()=>(n.abort(),o())}function ef(e,t){let n=0,o=()=>{clearTimeout(n),document.hidden?n=setTimeout(t,5e3):e()};return document.addEventListener("visibilitychange",o),o(),()=>(clearTimeout(n),document.removeEventListener("visibilitychange",o))}var ha=T(()=>{});function rf(e){if(e!==Ct){Ct=e;for(let t of er)t(e)}}function xa(){ga(),Gt?.close(),tr(),Jt=0;let e=`tallystick ${te()}`;Gt=new BroadcastChannel(e),Gt.addEventListener("message",t=>_a(t.data)),Gt.postMessage({asks:ya}),ga=ma(e,()=>pt||nr(),tr)}function tr(){pt?.close(),pt=null}function nr(){tr();let e=new EventSource(xo("/events",Jt?{after:Jt}:{}));pt=e,e.addEventListener("open",()=>{_o=ba,Cn({state:"live",reset:!0})}),e.addEventListener("error",()=>{Cn({state:e.readyState===EventSource.CLOSED?"offline":"connecting"}),!(e.readyState!==EventSource.CLOSED||pt!==e)&&(setTimeout(()=>pt===e&&nr(),_o),_o=Math.min(_o*2,sf))});let t=n=>Number(n.lastEventId)||0;for(let n of tf)e.addEventListener(n,o=>Cn({seq:t(o),entry:o.data}));e.addEventListener("caught_up",n=>Cn({seq:t(n)})),e.addEventListener("shorter",n=>Cn({seq:t(n),shorter:!0,reset:!0}))}function Cn(e){_a(e),Gt?.postMessage(e)}function _a({asks:e,to:t,state:n,reset:o,seq:r,shorter:s,entry:a}){if(t&&t!==ya)return;e&&pt&&Gt?.postMessage({to:e,state:Ct,reset:Ct==="live",seq:Jt}),r!==void 0&&(Jt=s?r:Math.max(Jt,r)),n&&rf(n);let l=a===void 0?null:Mn(a);if(o||l)for(let c of Zs)c(l)}function wa(){window.addEventListener("online",()=>pt&&Ct!=="live"&&nr())}function Ie(e){let t=I(e);t.current=e,x(()=>{let n=o=>t.current(o);return Zs.add(n),()=>{Zs.delete(n)}},[])}function va(){let[e,t]=h(Ct);return x(()=>(er.add(t),t(Ct),()=>{er.delete(t)}),[]),e}function D(e,t){let[n,o]=h({data:null,problem:null,loading:!0}),r=I({keys:e,load:t});r.current={keys:e,load:t};let s=I({timer:0,abort:null,busy:!1,next:0,due:!1}).current,a=be(async()=>{clearTimeout(s.timer),s.timer=0,s.abort?.abort();let c=new AbortController;s.abort=c,s.busy=!0,s.due=!1;let d=performance.now();try{let u=await r.current.load(c.signal);c.signal.aborted||o({data:u,problem:null,loading:!1})}catch(u){c.signal.aborted||o(p=>({...p,problem:u,loading:!1}))}c.signal.aborted||(s.busy=!1,s.next=performance.now()+of*(performance.now()-d),s.due&&l())},[]),l=be(()=>{s.due=!0,!(s.busy||s.timer||document.hidden||r.current.keys.paused)&&(s.timer=setTimeout(a,Math.max(nf,s.next-performance.now())))},[]);return Ie(c=>{(c===null||af(c,r.current.keys))&&l()}),ke(()=>{o({data:null,problem:null,loading:!0}),a()},e.by||[]),x(()=>{let c=()=>!document.hidden&&s.due&&l();return document.addEventListener("visibilitychange",c),()=>{document.removeEventListener("visibilitychange",c),clearTimeout(s.timer),s.abort?.abort()}},[]),x(()=>{!e.paused&&s.due&&l()},[e.paused]),{...n,reload:a}}function af(e,{kinds:t,execution:n}){return e.kind==="body_erased"?!0:n&&e.execution_id!==n&&e.id!==n?!1:!t||t.some(o=>e.kind===o||o.endsWith("_")&&e.kind.startsWith(o))}var tf,nf,of,sf,ba,Zs,er,ya,pt,Gt,ga,Ct,Jt,_o,wo,Z=T(()=>{K();v();go();ha();H();tf=["plan_recorded","plan_retired","task_recorded","session_opened","session_ended","session_noted","execution_started","execution_ended","action_begun","action_ended","action_doubted","action_noted","decision_recorded","context_recorded","approval_requested","approval_decided","body_erased","credential_added","credential_revoked","alert_silenced","webhook_added","webhook_rotated","webhook_tested","webhook_replayed","webhook_removed","unreadable"],nf=30,of=2,sf=15e3,ba=500,Zs=new Set,er=new Set,ya=String(Math.random()),pt=null,Gt=null,ga=()=>{},Ct="connecting",Jt=0,_o=ba;wo=e=>Ie(t=>t===null&&e())});function k({name:e,label:t="",size:n=16}){let o=ka[e]||ka.planned;return i`
    <svg
      class="icon"
      width=${n}
      height=${n}
      viewBox="0 0 16 16"
      role=${t?"img":null}
      aria-label=${t||null}
      aria-hidden=${t?null:"true"}
      focusable="false"
    >
      ${o.map(r=>r.startsWith("f:")?i`<path d=${r.slice(2)} fill="currentColor" />`:i`<path d=${r} fill="none" stroke="currentColor" />`)}
    </svg>
  `}function vo({size:e=20}){return i`
    <svg class="mark" width=${e} height=${e} viewBox="0 0 20 20" aria-hidden="true" focusable="false">
      <path class="mark-half" d="M3 1.5h6v17H3z" />
      <path class="mark-half mark-other" d="M11 1.5h6v17h-6z" />
      <path class="mark-notch" d="M3 5.4h6M3 8.5h6M3 11.6h6M3 14.7h6M11 5.4h6M11 8.5h6M11 11.6h6M11 14.7h6" />
    </svg>
  `}var ka,oe=T(()=>{v();ka={running:["M8 1.75a6.25 6.25 0 1 1-4.42 1.83","f:M6.5 5.4v5.2L10.7 8z"],completed:["M8 1.75a6.25 6.25 0 1 1 0 12.5 6.25 6.25 0 0 1 0-12.5z","M5.2 8.2l2 2 3.7-4.2"],failed:["M5.4 1.75h5.2l3.65 3.65v5.2l-3.65 3.65H5.4L1.75 10.6V5.4z","M5.9 5.9l4.2 4.2M10.1 5.9l-4.2 4.2"],cancelled:["M8 1.75a6.25 6.25 0 1 1 0 12.5 6.25 6.25 0 0 1 0-12.5z","M3.7 12.3l8.6-8.6"],paused:["M8 1.75a6.25 6.25 0 1 1 0 12.5 6.25 6.25 0 0 1 0-12.5z","M6.4 5.6v4.8M9.6 5.6v4.8"],blocked:["M8 2a2.6 2.6 0 1 1 0 5.2A2.6 2.6 0 0 1 8 2z","M2.9 14c.3-2.9 2.3-4.6 5.1-4.6 1 0 1.9.2 2.7.6","M12.6 9.6v2.6l1.5 1"],unwinding:["M3 5.5h6.4a3.85 3.85 0 1 1 0 7.7H5","M5.8 2.6L2.9 5.5l2.9 2.9"],in_doubt:["M8 1.4L14.6 8 8 14.6 1.4 8z","M6.5 6.5c.1-1 .7-1.5 1.6-1.5.9 0 1.5.5 1.5 1.3 0 1.2-1.6 1.2-1.6 2.5","f:M7.3 10.3h1.4v1.3H7.3z"],skipped:["M2.5 4l5 4-5 4z","M8.5 4l5 4-5 4z"],planned:["M8 1.75a6.25 6.25 0 0 1 3.1.8M13.4 4.9a6.25 6.25 0 0 1 .8 3.1M13.4 11.1a6.25 6.25 0 0 1-2.3 2.3M8 14.25a6.25 6.25 0 0 1-3.1-.8M2.6 11.1A6.25 6.25 0 0 1 1.75 8M2.6 4.9a6.25 6.25 0 0 1 2.3-2.3"],unplanned:["M8 1.75a6.25 6.25 0 1 1 0 12.5 6.25 6.25 0 0 1 0-12.5z","M8 5.2v5.6M5.2 8h5.6"],owed:["M3 8h10","M6 4.5L2.5 8 6 11.5","M13.5 3v10"],late:["M8 1.75a6.25 6.25 0 1 1 0 12.5 6.25 6.25 0 0 1 0-12.5z","M8 4.6V8l2.4 1.6"],home:["M2.5 7.5L8 2.8l5.5 4.7","M4 6.5v7h8v-7"],executions:["M2.5 3.5h11M2.5 8h7M2.5 12.5h9"],approvals:["M2.5 9.5v3a1 1 0 0 0 1 1h9a1 1 0 0 0 1-1v-3","M2.5 9.5h3l1 1.8h3l1-1.8h3L11.6 3H4.4z"],plans:["M2 3h3v3H2zM11 2h3v3h-3zM11 11h3v3h-3z","M5 4.5h3.2v8H11M8.2 3.6H11"],context:["M3 2.5h7.5L13 5v8.5H3z","M5.5 6.5h5M5.5 9h5M5.5 11.5h3"],stats:["M2.5 13.5h11","M4.5 11V8M8 11V3.5M11.5 11V6"],compare:["M6.5 2.5h-4v11h4M9.5 2.5h4v11h-4","M8 1.5v13"],replay:["M3.2 6A5.3 5.3 0 1 1 2.7 8.6","M2.6 2.8L3.1 6l3.2-.5"],import:["M8 2v7.5M5 6.7l3 3 3-3","M2.5 10.5v3h11v-3"],export:["M8 9.8V2.2M5 5l3-3 3 3","M2.5 10.5v3h11v-3"],journal:["M4 1.75h8.5v12.5H4a1.5 1.5 0 0 1 0-3h8.5M2.5 12.7V3.25A1.5 1.5 0 0 1 4 1.75","M5.7 5h4"],timeline:["M2 3.5h5M5 8h7M8.5 12.5H14"],graph:["M8 1.8v3M8 4.8H3.8v3M8 4.8h4.2v3","M2.2 7.8h3.2V11H2.2zM10.6 7.8h3.2V11h-3.2z"],table:["M2 3h12v10H2zM2 6.5h12M2 9.8h12M6.2 6.5V13"],coverage:["M1.5 8C3 5 5.3 3.5 8 3.5S13 5 14.5 8C13 11 10.7 12.5 8 12.5S3 11 1.5 8z","M8 6.2a1.8 1.8 0 1 1 0 3.6 1.8 1.8 0 0 1 0-3.6z"],agent:["M3 5.5h10v7H3zM8 5.5V3","f:M7.2 1.6h1.6v1.6H7.2z","M6 8.3v1.4M10 8.3v1.4"],person:["M8 2a2.8 2.8 0 1 1 0 5.6A2.8 2.8 0 0 1 8 2z","M2.8 14c.4-3 2.4-4.7 5.2-4.7s4.8 1.7 5.2 4.7"],observed:["M1.5 8C3 5 5.3 3.5 8 3.5S13 5 14.5 8C13 11 10.7 12.5 8 12.5S3 11 1.5 8z","f:M8 6a2 2 0 1 1 0 4 2 2 0 0 1 0-4z"],claimed:["M2.5 3h11v7.5H8L5 13v-2.5H2.5z"],search:["M7 2.5a4.5 4.5 0 1 1 0 9 4.5 4.5 0 0 1 0-9z","M10.3 10.3l3.4 3.4"],filter:["M2 3.5h12L9.5 8.8v4L6.5 14V8.8z"],copy:["M5.5 5.5h8v8h-8z","M10.5 5.5v-3h-8v8h3"],check:["M3 8.5l3.2 3.2L13 4.6"],close:["M4 4l8 8M12 4l-8 8"],left:["M10 3.5L5.5 8l4.5 4.5"],right:["M6 3.5L10.5 8 6 12.5"],down:["M3.5 6L8 10.5 12.5 6"],up:["M3.5 10L8 5.5 12.5 10"],first:["M3 3v10","M13 8H6.5M9.3 5L6.3 8l3 3"],follow:["M8 2.5v8.5M4.5 7.8L8 11.3l3.5-3.5","M3 14h10"],link:["M6.7 9.3l2.6-2.6","M7.3 4.7l1.4-1.4a2.8 2.8 0 0 1 4 4l-1.4 1.4M8.7 11.3l-1.4 1.4a2.8 2.8 0 0 1-4-4l1.4-1.4"],save:["M3.5 2.5h9v11L8 10.2 3.5 13.5z"],more:["f:M2.6 7h2v2h-2zM7 7h2v2H7zM11.4 7h2v2h-2z"],settings:["M2 4.5h6M11.5 4.5H14M2 11.5h2.5M8 11.5h6","M9.75 2.75a1.75 1.75 0 1 1 0 3.5 1.75 1.75 0 0 1 0-3.5z","M6.25 9.75a1.75 1.75 0 1 1 0 3.5 1.75 1.75 0 0 1 0-3.5z"],zoomin:["M7 2.5a4.5 4.5 0 1 1 0 9 4.5 4.5 0 0 1 0-9z","M10.3 10.3l3.4 3.4M7 5v4M5 7h4"],zoomout:["M7 2.5a4.5 4.5 0 1 1 0 9 4.5 4.5 0 0 1 0-9z","M10.3 10.3l3.4 3.4M5 7h4"],fit:["M2 5V2h3M11 2h3v3M14 11v3h-3M5 14H2v-3"],warning:["M8 2L14.5 13.5h-13z","M8 6.5v3","f:M7.3 10.7h1.4V12H7.3z"],live:["f:M8 5.5a2.5 2.5 0 1 1 0 5 2.5 2.5 0 0 1 0-5z"],offline:["M8 5.5a2.5 2.5 0 1 1 0 5 2.5 2.5 0 0 1 0-5z"],group:["M2.5 3h11M5 6.5h8.5M2.5 10h11M5 13.5h8.5"],edit:["M2.8 13.2l.6-2.8 7.4-7.4 2.2 2.2-7.4 7.4z"],reply:["M6.5 4L2.5 8l4 4","M2.5 8h6.8c2.4 0 4.2 1.6 4.2 4.5"],bell:["M3.5 11.5h9l-1.2-1.8V7a3.3 3.3 0 0 0-6.6 0v2.7z","M6.7 13.7h2.6"],keyboard:["M1.5 4h13v8h-13z","M4 6.7h.01M6.7 6.7h.01M9.3 6.7h.01M12 6.7h.01M5.5 9.5h5"]}});function At(e){let[t,n,o]=lf[e]||["idle","planned",e];return{tone:t,icon:n,word:o}}function V({state:e,word:t,quiet:n=!1}){let{tone:o,icon:r,word:s}=At(e);return i`<span class=${ne("status",`tone-${o}`,n&&"status-quiet")}>
    <${k} name=${r} /><span>${t||s}</span>
  </span>`}function se({tone:e="plain",icon:t,title:n,children:o}){return i`<span class=${`badge tone-${e}`} title=${n}>
    ${t&&i`<${k} name=${t} size=${14} />`}<span>${o}</span>
  </span>`}function Ze({witness:e}){let t=e==="observed";return i`<span class=${`witness witness-${t?"observed":"claimed"}`} title=${t?"A hook, gateway or runner saw it":"The agent reported it"}>
    <${k} name=${t?"observed":"claimed"} size=${14} /><span>${e}</span>
  </span>`}var lf,Ot,or=T(()=>{v();oe();lf={running:["running","running","running"],open:["running","running","running"],paused:["idle","paused","paused"],blocked:["waiting","blocked","waiting for a person"],unwinding:["undo","unwinding","unwinding"],interrupted:["doubt","warning","interrupted"],waiting:["waiting","blocked","waiting for a person"],completed:["ok","completed","completed"],done:["ok","completed","done"],ok:["ok","completed","ok"],failed:["failed","failed","failed"],cancelled:["idle","cancelled","cancelled"],closed:["idle","check","closed"],skipped:["idle","skipped","skipped"],planned:["idle","planned","planned"],in_doubt:["doubt","in_doubt","in doubt"],doubted:["doubt","in_doubt","in doubt"],unknown:["doubt","in_doubt","in doubt"],unplanned:["plain","unplanned","unplanned"],not_undone:["undo","owed","not undone"],undoing:["running","unwinding","being undone"],partly:["doubt","owed","partly undone"],undone:["undo","unwinding","undone"],kept:["ok","check","kept"],not_possible:["idle","cancelled","cannot be undone"],may_be_undo:["plain","unplanned","may be an undo"],pending:["waiting","blocked","pending"],expired:["idle","late","expired"],approve:["ok","completed","accepted"],edit:["ok","edit","accepted with changes"],reject:["failed","failed","rejected"],respond:["ok","reply","answered"],used:["idle","check","used"],active:["ok","plans","active"],superseded:["idle","late","superseded"],archived:["idle","save","archived"],disabled:["failed","failed","disabled"]};Ot=e=>e.interrupted?"interrupted":e.only_waits?"waiting":e.status});function w({kind:e="plain",icon:t,label:n,pressed:o,disabled:r=!1,type:s="button",class:a,children:l,onClick:c,...d}){let u=!l||Array.isArray(l)&&!l.length;return i`
    <button
      ...${d}
      type=${s}
      aria-disabled=${r?"true":null}
      onClick=${r?cf:c}
      class=${ne("button",`button-${e}`,u&&"button-icon",a)}
      aria-label=${u?n:d["aria-label"]}
      aria-pressed=${o===void 0?null:String(o)}
      title=${u?n:d.title}
    >
      ${t&&i`<${k} name=${t} />`}${l}
    </button>
  `}function Ne({href:e,icon:t,kind:n="plain",class:o,children:r,...s}){return i`<a ...${s} href=${e} class=${ne("button",`button-${n}`,o)}>
    ${t&&i`<${k} name=${t} />`}${r}
  </a>`}function ie({label:e,value:t,choices:n,onChange:o}){return i`<div class="choice" role="group" aria-label=${e}>
    ${n.map(r=>{let[s,a]=Array.isArray(r)?r:[r,r];return i`<button type="button" aria-pressed=${String(s===t)} onClick=${()=>o(s)}>
        ${a}
      </button>`})}
  </div>`}var cf,He=T(()=>{v();oe();cf=e=>e.preventDefault()});async function Yt(e){try{return await navigator.clipboard.writeText(e),!0}catch{return!1}}function ye({text:e,what:t=""}){let[n,o]=h(""),r=async()=>{o(await Yt(e)?"copied":"cannot copy"),setTimeout(()=>o(""),1600)};return i`<span class="copy">
    <button type="button" class="button button-ghost button-icon" aria-label=${`Copy ${t||e}`} title=${`Copy ${t||e}`} onClick=${r}>
      <${k} name=${n==="copied"?"check":"copy"} />
    </button>
    <span class="copy-status" role="status">${n}</span>
  </span>`}function Ue({id:e,href:t}){return i`<span class="handle">
    ${t?i`<a href=${t}><code>${e}</code></a>`:i`<code>${e}</code>`}<${ye} text=${e} />
  </span>`}var Qt=T(()=>{v();oe()});function et({title:e,onClose:t,children:n,wide:o=!1,side:r=!1}){let s=I(null),a=Me();return x(()=>{let c=s.current;return c?.showModal(),()=>c?.close()},[]),i`<dialog
    ref=${s}
    class=${`dialog ${o?"dialog-wide":""} ${r?"dialog-side":""}`}
    aria-labelledby=${a}
    onCancel=${c=>(c.preventDefault(),t())}
    onClick=${c=>c.target===s.current&&t()}
  >
    <div class="dialog-box">
      <header class="dialog-head">
        <h2 id=${a}>${e}</h2>
        <${w} kind="ghost" icon="close" label="Close" onClick=${t} />
      </header>
      <div class="dialog-body">${n}</div>
    </div>
  </dialog>`}var Sa=T(()=>{v();He()});function Ma(e){return Ca.test(e)&&e.length<Ta?e?[e]:[]:e.split(pf).map((t,n)=>n%2?ff(t):t).filter(Boolean)}function ff(e){if(e===`
`)return{mark:"↵",title:"a line break"};if(e[0]===" ")return{mark:`${e.length} spaces`,title:`${e.length} spaces, one after the other`};let t=[...e].map(o=>`U+${Oa(o).toString(16).toUpperCase().padStart(4,"0")}`),n=t.slice(0,8).join(" ")+(t.length>8?" …":"");return{mark:xe(e),title:`${n}: would not be seen`}}function $f(e){if(e==="\r")return"\\r";let t=Oa(e);return t<256?`\\x${ko(t,2)}`:t<65536?`\\u${ko(t,4)}`:`\\U${ko(t,8)}`}var Ea,sr,rr,Ta,df,uf,pf,Ca,xe,Aa,So,Oa,ko,mf,Le,We=T(()=>{Ea="\\p{scx=Arab}\\p{scx=Syrc}\\p{scx=Mong}\\p{scx=Nkoo}\\p{scx=Deva}\\p{scx=Beng}\\p{scx=Guru}\\p{scx=Gujr}\\p{scx=Orya}\\p{scx=Taml}\\p{scx=Telu}\\p{scx=Knda}\\p{scx=Mlym}\\p{scx=Sinh}\\p{scx=Khmr}\\p{scx=Mymr}\\p{scx=Tibt}",sr=["(?<=[\\p{ExtPict}\\p{EMod}\\ufe0f])\\u200d(?=\\p{ExtPict})",`(?<=[${Ea}])[\\u200c\\u200d](?=[${Ea}])`,"(?<=\\p{ExtPict})[\\ufe0e\\ufe0f]","(?<=[0-9#*])\\ufe0f(?=\\u20e3)"].join("|"),rr="[\\p{C}\\p{DI}\\u2800\\p{Zl}\\p{Zp}]|(?! )\\p{Zs}",Ta=40,df=new RegExp(`(?!${sr})(?:${rr})`,"gu"),uf=new RegExp(`(?![\\n\\t]|${sr})(?:${rr})`,"gu"),pf=new RegExp(`((?:(?![\\n\\t]|${sr})(?:${rr}))+|\\n| {${Ta},})`,"gu");Ca=/^[ -~]*$/;xe=e=>Ca.test(e)?e:e.replace(uf,$f),Aa=e=>e.replace(df,t=>t===`
`?t:t.split("").map(n=>`\\u${ko(n.charCodeAt(0),4)}`).join("")),So=(e,t)=>e.slice(0,t).replace(/[\ud800-\udbff]$/,"");Oa=e=>Number(e.codePointAt(0)),ko=(e,t)=>e.toString(16).padStart(t,"0"),mf=/^[\p{L}_$][\p{L}\p{N}_$-]*$/u,Le=e=>mf.test(e)?e:JSON.stringify(e)});function ir(e,t){let n=0;for(;n<e.length&&n<t.length&&e[n]===t[n];)n+=1;let o=0,r=Math.min(e.length,t.length)-n;for(;o<r&&e[e.length-1-o]===t[t.length-1-o];)o+=1;let s=e.length-n-o,a=t.length-n-o,l=[];for(let c=0;c<n;c+=1)l.push({before:c,after:c});l.push(...s*a>1e6?hf(n,s,a):gf(e,t,n,s,a));for(let c=o;c>0;c-=1)l.push({before:e.length-c,after:t.length-c});return l}function hf(e,t,n){let o=Array.from({length:t},(s,a)=>({before:e+a,after:-1})),r=Array.from({length:n},(s,a)=>({before:-1,after:e+a}));return[...o,...r]}function gf(e,t,n,o,r){let s=r+1,a=new Uint32Array((o+1)*s);for(let u=o-1;u>=0;u-=1)for(let p=r-1;p>=0;p-=1){let $=u*s+p;a[$]=e[n+u]===t[n+p]?a[$+s+1]+1:Math.max(a[$+s],a[$+1])}let l=[],c=0,d=0;for(;c<o||d<r;){let u=c*s+d;c<o&&d<r&&e[n+c]===t[n+d]?(l.push({before:n+c,after:n+d}),c+=1,d+=1):c<o&&(d===r||a[u+s]>=a[u+1])?(l.push({before:n+c,after:-1}),c+=1):(l.push({before:-1,after:n+d}),d+=1)}return l}var Ia=T(()=>{});function Eo(e,t){let n=[];return Da(On(e,t),[],n),n}function La(e,t){let n=[];return Pa(On(e,t),0,"","",n),n}function Ra(e,t=3){let n=new Uint8Array(e.length);e.forEach((r,s)=>{r.mark!==" "&&n.fill(1,Math.max(0,s-t),s+t+1)});let o=[];for(let r=0;r<e.length;r+=1){if(n[r]){o.push(e[r]);continue}let s=r;for(;s<e.length&&!n[s];)s+=1;s-r>2?o.push({folded:e.slice(r,s)}):o.push(...e.slice(r,s)),r=s-1}return o}function To(e){return e.map(n=>{let o=typeof n=="number"?"":Le(n);return o&&o===n?`.${o}`:`[${o||n}]`}).join("").replace(/^\./,"")||"(the whole value)"}function lr(e,t){return ar(e)===ar(t)}function On(e,t,n=0){return lr(e,t)?{kind:"same",before:e,after:t}:n>=bf?{kind:"changed",before:e,after:t}:Array.isArray(e)&&Array.isArray(t)?{kind:"array",before:e,after:t,parts:xf(e,t,n+1)}:In(e)&&In(t)?{kind:"object",before:e,after:t,parts:yf(e,t,n+1)}:{kind:typeof e=="string"&&typeof t=="string"&&/\n/.test(e+t)?"text":"changed",before:e,after:t}}function yf(e,t,n){let o=Object.keys(e),r=Object.keys(t).filter(s=>!Object.hasOwn(e,s));return[...o,...r].map(s=>Object.hasOwn(t,s)?Object.hasOwn(e,s)?{...On(e[s],t[s],n),key:s}:{kind:"added",key:s,after:t[s]}:{kind:"removed",key:s,before:e[s]})}function xf(e,t,n){let o=["id","key","name"].find(c=>Na(e,c)&&Na(t,c)),r=c=>c.map(d=>o?d[o]:ar(d)),s=[],a=[],l=()=>{for(let c of a)s.push({kind:"removed",key:c,before:e[c]});a=[]};for(let c of ir(r(e),r(t)))c.after<0?a.push(c.before):c.before<0&&a.length&&!o?s.push({...On(e[Number(a.shift())],t[c.after],n),key:c.after}):c.before<0?(l(),s.push({kind:"added",key:c.after,after:t[c.after]})):(l(),s.push({...On(e[c.before],t[c.after],n),key:c.after}));return l(),s}function Na(e,t){let n=new Set(e.map(o=>In(o)&&typeof o[t]=="string"?o[t]:void 0));return e.length>0&&!n.has(void 0)&&n.size===e.length}function Da(e,t,n){let o=e.key===void 0?t:[...t,e.key];e.parts?e.parts.forEach(r=>Da(r,o,n)):e.kind==="added"?n.push({path:o,change:"added",after:e.after}):e.kind==="removed"?n.push({path:o,change:"removed",before:e.before}):e.kind!=="same"&&n.push({path:o,change:"changed",before:e.before,after:e.after})}function Pa(e,t,n,o,r){if(e.kind==="same")An(e.after," ",t,n,o,r);else if(e.kind==="removed")An(e.before,"-",t,n,o,r);else if(e.kind==="added")An(e.after,"+",t,n,o,r);else if(e.kind==="text")_f(e,t,n,o,r);else if(e.parts){let[s,a]=e.kind==="array"?"[]":"{}";r.push({mark:" ",depth:t,text:n+s}),e.parts.forEach((l,c,d)=>{let u=e.kind==="array"?"":`${JSON.stringify(l.key)}: `;Pa(l,t+1,u,c<d.length-1?",":"",r)}),r.push({mark:" ",depth:t,text:a+o})}else An(e.before,"-",t,n,o,r),An(e.after,"+",t,n,o,r)}function An(e,t,n,o,r,s){re(e,{indent:1}).split(`
`).forEach((l,c,d)=>{let u=l.length-l.trimStart().length,p=c===d.length-1;s.push({mark:t,depth:n+u,text:(c?"":o)+l.trimStart()+(p?r:"")})})}function _f(e,t,n,o,r){let s=e.before.split(`
`),a=e.after.split(`
`);r.push({mark:" ",depth:t,text:`${n}"""`});for(let l of ir(s,a)){let c=l.after<0?"-":l.before<0?"+":" ";r.push({mark:c,depth:t+1,text:c==="-"?s[l.before]:a[l.after],within:!0})}r.push({mark:" ",depth:t,text:`"""${o}`})}function ar(e){return e===void 0?"undefined":re(e,{sorted:!0})}function In(e){return typeof e=="object"&&e!==null&&!Array.isArray(e)&&!(e instanceof Ee)}var bf,Mo=T(()=>{dt();De();We();Ia();bf=100});function m({text:e}){return e?i`<bdi class="written"><${ft} text=${e} /></bdi>`:null}function ft({text:e}){return Ma(e).map(t=>typeof t=="string"?t:i`<span class="unseen" title=${t.title}>${t.mark}</span>`)}function Pe({text:e}){return e.split(`
`).map((t,n)=>i`${n?`
`:""}<${ft} text=${t} />`)}function ja({text:e,cut:t=e.length}){let n=So(e,t);if(!e.includes(`
`))return i`<bdi class="json-string">"<${ft} text=${n.replaceAll(/["\\]/g,"\\$&").replaceAll("	","\\t")} />${t<e.length?"":'"'}</bdi>`;let o=n.split(`
`);return i`<span class="json-brace">text, ${e.split(`
`).length} lines</span><span class="json-block">${o.map((r,s)=>i`<bdi class="json-text"><${ft} text=${r} />${s<o.length-1&&i`<span class="unseen line-end" title="a line break">↵</span>`}</bdi>`)}</span>`}var qe=T(()=>{v();We()});function ae({value:e,label:t="value",raw:n=!1,whole:o=!1}){let[r,s]=h(n?"raw":"tree"),a=qa(e),l=a&&tt(e).length>kf;return i`<div class="json">
    <div class="json-tools">
      ${l&&i`<${ie} label=${`How ${t} is shown`} value=${r} choices=${["tree","raw"]} onChange=${s} />`}
      <${ye} text=${typeof e=="string"?e:tt(e)} what=${t} />
    </div>
    ${r==="raw"||!a?i`<${Zt} text=${typeof e=="string"?e:tt(e)} />`:i`<div class=${l?"json-tree":"json-tree json-short"}><${Sf} value=${e} whole=${o} /></div>`}
  </div>`}function Zt({text:e}){let[t,n]=h(!1),o=!t&&e.length>Xt*10;return i`<pre class="text" tabindex="0"><${Pe} text=${o?So(e,Xt*10):e} />${o&&i`<button type="button" class="more" onClick=${()=>n(!0)}>… ${e.length-Xt*10} characters more</button>`}</pre>`}function Sf({value:e,whole:t}){let n=Object.entries(e),o=t?-1/0:0;return!n.length||Array.isArray(e)?i`<${Ba} value=${e} depth=${o} />`:i`<${Fa} members=${n} depth=${o} flat />`}function Ba({name:e,value:t,depth:n}){let o=e===void 0?null:i`<bdi class="json-key"><${ft} text=${e} /></bdi>`;if(!qa(t))return i`<div class="json-line">${o}<${en} value=${t} /></div>`;let r=Array.isArray(t),s=Object.entries(t);if(!s.length)return i`<div class="json-line">${o}<span class="json-brace">${r?"[ ]":"{ }"}</span></div>`;let a=`${s.length} ${r?s.length===1?"item":"items":s.length===1?"field":"fields"}`;return i`<details class="json-node" open=${n<vf}>
    <summary>${o}<span class="json-brace">${r?"[…]":"{…}"} ${a}</span></summary>
    <${Fa} members=${s} depth=${n} list=${r} />
  </details>`}function Fa({members:e,depth:t,flat:n=!1,list:o=!1}){let[r,s]=h(wf);return i`<div class=${n?null:"json-members"}>
    ${e.slice(0,r).map(([a,l])=>i`<${Ba} key=${a} name=${o?a:Le(a)} value=${l} depth=${t+1} />`)}
    ${e.length>r&&i`<button type="button" class="more" onClick=${()=>s(r*10)}>… ${e.length-r} more</button>`}
  </div>`}function en({value:e}){let[t,n]=h(!1);if(typeof e!="string")return i`<span class=${`json-${e===null?"null":e instanceof Ee?"number":typeof e}`}>${String(e)}</span>`;let o=!t&&e.length>Xt;return i`<${ja} text=${e} cut=${o?Xt:e.length} />${o&&i`<button type="button" class="more" onClick=${()=>n(!0)}>… ${e.length-Xt} more</button>`}`}var Xt,wf,vf,kf,tt,qa,Nn=T(()=>{v();dt();De();He();Qt();qe();We();Xt=400,wf=100,vf=2,kf=160;tt=e=>e===void 0?"":re(e,{indent:2}),qa=e=>typeof e=="object"&&e!==null&&!(e instanceof Ee)});function Be({before:e,after:t,titles:n=["before","after"]}){let o=Eo(e,t),r=o.some(d=>typeof d.before=="string"&&d.before.includes(`
`)),[s,a]=h(""),l=s||(r?"lines":"fields");if(!o.length)return i`<p class="soft">No difference.</p>`;let c=`Difference between ${n[0]} and ${n[1]}`;return i`<div class="diff">
    <div class="diff-head">
      <span class="soft">${Ef(o)}</span>
      <${ie} label="How the difference is shown" value=${l} choices=${["fields","lines"]} onChange=${a} />
    </div>
    <div class="diff-body" role="group" aria-label=${c} tabindex="0">
      ${l==="fields"?i`<${Tf} found=${o} titles=${n} />`:i`<${Cf} before=${e} after=${t} titles=${n} />`}
    </div>
  </div>`}function Ef(e){let t=n=>e.filter(o=>o.change===n).length;return["changed","added","removed"].filter(t).map(n=>`${t(n)} ${n}`).join(", ")}function Tf({found:e,titles:t}){let n=e.map(o=>({path:o.path.length?To(o.path):"value",kind:o.change,before:o.before,after:o.after}));return i`<${Co} rows=${n} titles=${t} />`}function Co({rows:e,titles:t,words:n={}}){return i`<table class="diff-table">
    <thead>
      <tr><th scope="col">field</th><th scope="col">${t[0]}</th><th scope="col">${t[1]}</th></tr>
    </thead>
    <tbody>
      ${e.map(o=>i`<tr key=${o.path}>
        <th scope="row"><code><${m} text=${o.path} /></code><span class="diff-kind">${n[o.kind]??o.kind}</span></th>
        <td>${o.kind==="added"?i`<span class="faint">–</span>`:i`<del><${za} value=${o.before} /></del>`}</td>
        <td>${o.kind==="removed"?i`<span class="faint">–</span>`:i`<ins><${za} value=${o.after} /></ins>`}</td>
      </tr>`)}
    </tbody>
  </table>`}function za({value:e}){return typeof e=="string"?i`<${en} value=${e} />`:i`<${Pe} text=${tt(e)} />`}function Cf({before:e,after:t,titles:n}){let[o,r]=h([]),s=Ra(La(e,t));return i`<p class="visually-hidden">Lines that begin with a minus are only in ${n[0]}, those with a plus only in ${n[1]}.</p>
    <pre class="diff-lines">${s.map((a,l)=>"folded"in a?o.includes(l)?a.folded.map(c=>i`<${Ha} line=${c} />`):i`<button type="button" class="diff-fold" onClick=${()=>r([...o,l])}>${a.folded.length} unchanged lines</button>`:i`<${Ha} line=${a} />`)}</pre>`}function Ha({line:e}){let t=i`${`${e.mark} ${"  ".repeat(e.depth)}${e.within?"│ ":""}`}<bdi><${ft} text=${e.text} /></bdi>${`
`}`;return e.mark==="-"?i`<del class="diff-line diff-removed">${t}</del>`:e.mark==="+"?i`<ins class="diff-line diff-added">${t}</ins>`:i`<span class=${`diff-line diff-${Mf[e.mark]}`}>${t}</span>`}var Mf,cr=T(()=>{Mo();v();He();Nn();qe();Mf={" ":"kept","-":"removed","+":"added"}});function Fe({keys:e}){return i`<span class="kbd-row">
    ${e.split(" ").map(t=>i`<kbd class="kbd">${Af[t]||t}</kbd>`)}
  </span>`}var Af,Ua=T(()=>{v();Af={ArrowDown:"↓",ArrowUp:"↑",ArrowLeft:"←",ArrowRight:"→",Escape:"Esc",Enter:"⏎"}});function rt({label:e,icon:t,word:n,children:o,kind:r="plain",end:s=!1}){let[a,l]=h(!1),c=I(null),d=Me();x(()=>{if(!a)return;let p=$=>{let f=$ instanceof KeyboardEvent?$.key:"";f&&f!=="Escape"||!f&&$.target instanceof Node&&c.current?.contains($.target)||(l(!1),f&&($.preventDefault(),c.current?.querySelector("button")?.focus()))};return document.addEventListener("pointerdown",p),document.addEventListener("keydown",p,!0),()=>{document.removeEventListener("pointerdown",p),document.removeEventListener("keydown",p,!0)}},[a]);let u=p=>{p.target instanceof Element&&p.target.closest("[data-close], a[href]")&&l(!1)};return i`<div class="menu" ref=${c}>
    <button
      type="button"
      class=${`button button-${r} ${n?"":"button-icon"}`}
      aria-label=${n?null:e}
      title=${e}
      aria-expanded=${String(a)}
      aria-controls=${d}
      onClick=${()=>l(!a)}
    >
      ${t&&i`<${k} name=${t} />`}${n}
    </button>
    <div id=${d} class=${`menu-box ${s?"menu-end":""}`} hidden=${!a} onClick=${u}>${a&&o}</div>
  </div>`}var Wa=T(()=>{v();oe()});function j({title:e,level:t=2,actions:n,class:o,flush:r=!1,children:s,...a}){return i`<section ...${a} class=${ne("panel",r&&"panel-flush",o)}>
    ${(e||n)&&i`<header class="panel-head">
      ${e&&i`<${`h${t}`} class="panel-title">${e}</${`h${t}`}>`}
      ${n&&i`<div class="panel-actions">${n}</div>`}
    </header>`}
    <div class="panel-body">${s}</div>
  </section>`}function z({icon:e="planned",title:t,children:n}){return i`<div class="empty">
    <${k} name=${e} size=${24} />
    <p class="empty-title">${t}</p>
    ${n&&i`<div class="empty-body">${n}</div>`}
  </div>`}function R({problem:e,retry:t}){return e?i`<div class="problem" role="alert">
    <${k} name="warning" />
    <div>
      <p>${e.message}</p>
      ${e.hint&&i`<p class="soft">${e.hint}</p>`}
    </div>
    ${t&&i`<button type="button" class="button button-plain" onClick=${t}>Try again</button>`}
  </div>`:null}function U({what:e="Loading"}){return i`<p class="loading" role="status">${e}…</p>`}function Re({rows:e}){return i`<dl class="facts">
    ${e.filter(t=>Array.isArray(t)&&t[1]!==""&&t[1]!==void 0&&t[1]!==null).map(t=>i`<div><dt>${t[0]}</dt><dd>${t[1]}</dd></div>`)}
  </dl>`}var Ka=T(()=>{v();oe()});function Ke({label:e,value:t,onChange:n,onEnter:o,placeholder:r="",children:s}){let[a,l]=h(t),c=I(t),d=I(0),u=I(null);x(()=>{t!==c.current&&(c.current=t,l(t))},[t]);let p=g=>{clearTimeout(d.current),c.current=g,n(g)},$=g=>{l(g),clearTimeout(d.current),d.current=setTimeout(()=>p(g),Of)};return i`<div class="search" role="search">
    <${k} name="search" />
    <input
      ref=${u}
      type="search"
      aria-label=${e}
      placeholder=${r}
      value=${a}
      spellcheck="false"
      autocomplete="off"
      data-search
      onInput=${g=>$(g.target.value)}
      onKeyDown=${g=>{(g.key==="Enter"||g.key==="ArrowDown")&&(p(a),o&&(g.preventDefault(),u.current?.blur(),o())),g.key==="Escape"&&(a?(l(""),p("")):u.current?.blur())}}
    />
    ${s}
  </div>`}function dr(){let e=document.querySelector("main [data-search]");e?.focus(),e?.select()}var Of,Va=T(()=>{v();oe();Of=250});function It({label:e,columns:t,rows:n,id:o,selected:r,onSelect:s}){return i`<div class="table-scroll" tabindex="0" role="region" aria-label=${e}>
    <table class="table">
      <thead>
        <tr>${t.map(a=>i`<th scope="col" class=${a.class}>${a.title}</th>`)}</tr>
      </thead>
      <tbody>
        ${n.map(a=>i`<tr
            key=${o(a)}
            class=${s?"row-link":null}
            aria-selected=${r===void 0?null:String(o(a)===r)}
            onClick=${s?()=>s(a):null}
          >
            ${t.map(l=>i`<td class=${l.class}>${l.cell(a)}</td>`)}
          </tr>`)}
      </tbody>
    </table>
  </div>`}var Ga=T(()=>{v()});function Ln({label:e,tabs:t,value:n,href:o=r=>y(location.pathname+location.search,{tab:r})}){let r=I(null);return x(()=>{r.current?.querySelector("[aria-current]")?.scrollIntoView({block:"nearest",inline:"nearest"})},[n]),i`<nav class="tabs" aria-label=${e} ref=${r} onKeyDown=${a=>{let l={ArrowRight:1,ArrowLeft:-1}[a.key];if(!l||!r.current)return;let c=[...r.current.querySelectorAll("a")];c[(c.indexOf(document.activeElement)+l+c.length)%c.length].focus(),a.preventDefault()}}>
    ${t.map(a=>i`<a href=${o(a.id)} class="tab" aria-current=${a.id===n?"page":null}>
        ${a.title}
        ${a.count?i`<span class=${`tab-count tone-${a.tone||"plain"}`}>${a.count}</span>`:null}
      </a>`)}
  </nav>`}var Ja=T(()=>{v();H()});function Nt({row:e,steps:t,running:n=!1,failed:o=!1}){let{done:r,undone:s,skipped:a,total:l}=ur(e),c=[...Array(r-s).fill("done"),...Array(s).fill("undone"),...Array(a).fill("skipped")],d=t||Array.from({length:Math.min(l,Ya+1)},($,f)=>c[f]??If(f-c.length,n,o)),u=t?t.length:l,p=Qa(e);return u?i`<span class="tally" role="img" aria-label=${p} title=${p}>
    ${u>Ya?i`<span class="tally-bar"><span style=${{width:`${100*(r+a)/u}%`}}></span></span>`:d.map(($,f)=>i`<i class=${ne("notch",`notch-${$}`,f%5===4&&"notch-fifth")}></i>`)}
  </span>`:i`<span class="tally-none">ad hoc</span>`}function Qa(e){let{done:t,undone:n,skipped:o,total:r}=ur(e),s=n?`, of which ${n} undone`:"";return o?`${t} done${s}, ${o} skipped of ${r} steps`:`${t} of ${r} steps done${s}`}function it(e){let{done:t,undone:n,skipped:o,total:r}=ur(e),s=[n&&`${n} undone`,o&&`${o} skipped`].filter(Boolean);return`${t}/${r}${s.length?` (${s.join(", ")})`:""}`}function ur(e){return{done:e.done_steps??0,undone:e.undone_steps??0,skipped:e.skipped_steps??0,total:e.total_steps??0}}function If(e,t,n){return e?"planned":n?"failed":t?"running":"planned"}var Ya,pr=T(()=>{v();Ya=40});function Ao(e){let t=localStorage.getItem(`tallystick.${e}`)||"",n=Rn[e];return n.includes(t)?t:n[0]}function $r(e,t){localStorage.setItem(`tallystick.${e}`,t),document.documentElement.dataset[e]=t;for(let n of fr)n(Symbol(e))}function me(e){let[,t]=h(null);return x(()=>(fr.add(t),()=>{fr.delete(t)}),[]),Ao(e)}function Xa(){window.addEventListener("storage",e=>{let t=e.key?.replace("tallystick.","");t&&t in Rn&&$r(t,Ao(t))})}var Rn,fr,Ve=T(()=>{v();Rn={theme:["system","light","dark"],density:["compact","comfortable"],time:["relative","absolute"],zone:["local","utc"]},fr=new Set});function we(){let[e,t]=h(()=>Date.now());return x(()=>(Oo.add(t),mr||=setInterval(()=>!document.hidden&&Oo.forEach(n=>n(Date.now())),Nf),()=>{Oo.delete(t),Oo.size||(mr=void clearInterval(mr))}),[]),e}function ue(e,t=2){if(e<-Lf)return"–";let n=Math.max(0,e);if(n<1e3)return`${Math.round(n)} ms`;if(n<1e4&&t>1)return`${(n/1e3).toFixed(1).replace(".0","")} s`;let o=Math.round(n/1e3),r=[];for(let[s,a]of Rf){let l=Math.floor(o/s);if(o-=l*s,l&&r.push(`${l} ${a}`),r.length&&!l||r.length===t)break}return r.join(" ")}function tn(e,t){let n=new Date(e);return Number.isNaN(n.getTime())?String(e):jf[t==="utc"?"utc":"local"].format(n)}function Lt(e,t){let n=new Date(e);return(n.toDateString()===new Date().toDateString()?Df:Pf)[t==="utc"?"utc":"local"].format(n)}function nt(){return me("zone")==="utc"?"UTC":Intl.DateTimeFormat().resolvedOptions().timeZone}function L({at:e,lead:t="",tail:n=" ago",form:o}){let r=me("time"),s=me("zone");return e?i`<time class="time" dateTime=${e} title=${tn(e,s)}>
    ${(o||r)==="absolute"?Lt(e,s):i`<${qf} at=${e} lead=${t} tail=${n} />`}
  </time>`:i`<span class="faint">–</span>`}function qf({at:e,lead:t,tail:n}){let o=we()-Date.parse(e);return o<1500&&!t?"now":`${t}${ue(Math.max(o,1e3),1)}${t?"":n}`}function $t({from:e,to:t}){return t?i`<span class="num">${ue(Date.parse(t)-Date.parse(e))}</span>`:i`<${Bf} from=${e} />`}function Bf({from:e}){return i`<span class="num">${ue(we()-Date.parse(e))}</span>`}var Nf,Lf,Rf,Oo,mr,hr,gr,Df,Pf,jf,mt=T(()=>{v();Ve();Nf=1e3,Lf=3e5,Rf=[[86400,"d"],[3600,"h"],[60,"min"],[1,"s"]],Oo=new Set,mr=0;hr=e=>({local:new Intl.DateTimeFormat("en-GB",e),utc:new Intl.DateTimeFormat("en-GB",{...e,timeZone:"UTC"})}),gr={hour:"2-digit",minute:"2-digit",second:"2-digit"},Df=hr(gr),Pf=hr({day:"numeric",month:"short",...gr}),jf=hr({dateStyle:void 0,year:"numeric",month:"short",day:"numeric",...gr,fractionalSecondDigits:3,timeZoneName:"short"})});function Rt({rows:e,height:t,row:n,looks:o,label:r,selected:s=-1,atEnd:a=!1,onEnd:l,onNear:c,onRange:d,head:u,role:p="list",outer:$="region"}){let f=I(null),[g,b]=h({top:0,room:800}),C=I(!1),A=I(new Map),_=be(()=>{let N=f.current;N&&b(W=>{let Q=Math.floor(N.scrollTop/t)*t;return W.top===Q&&W.room===N.clientHeight?W:{top:Q,room:N.clientHeight}})},[t]);ke(()=>{let N=f.current;if(!N)return;let W=new ResizeObserver(_);return W.observe(N),_(),()=>W.disconnect()},[_]),ke(()=>{!a||!f.current||(C.current=!0,f.current.scrollTop=f.current.scrollHeight)},[a,e.length]),ke(()=>{let N=f.current;if(s<0||!N)return;let W=s*t;W<N.scrollTop?N.scrollTop=W:W+t*2>N.scrollTop+N.clientHeight&&(N.scrollTop=W+t*2-N.clientHeight)},[s,t]);let M=()=>{_();let N=f.current;if(!N)return;let W=N.scrollTop+N.clientHeight>=N.scrollHeight-t;C.current||l?.(W),C.current=!1},E=Math.max(0,Math.floor(g.top/t)-Za),F=Math.min(e.length,Math.ceil((g.top+g.room)/t)+Za);x(()=>{c&&F>=e.length&&c()},[F,e.length]),x(()=>d?.(E,F),[E,F,d]);let G=new Map,O=(N,W)=>{let Q=o?.(N,W),ee=A.current.get(N),q=ee&&ee.looks===Q?ee:{looks:Q,row:n(N,W)};return Q!==void 0&&G.set(N,q),q.row},P=e.slice(E,F).map((N,W)=>O(N,E+W));return A.current=G,i`<div class="virtual" ref=${f} onScroll=${M} tabindex="0" role=${$} aria-label=${r} aria-rowcount=${$==="table"?e.length+1:null}>
    ${u}
    <div class="virtual-all" role=${p} style=${{height:`${e.length*t}px`}}>
      <div class="virtual-seen" role="presentation" style=${{transform:`translateY(${E*t}px)`}}>
        ${P}
      </div>
    </div>
  </div>`}var Za,el=T(()=>{v();Za=12});var B=T(()=>{or();He();Qt();Sa();cr();Nn();Ua();Wa();Ka();Va();Ga();Ja();pr();qe();We();mt();Vt();el()});function ht(){let e=Oe(),[t,n]=h([]);x(()=>{let r=()=>document.hidden||S("/v1/journals").then(a=>n(l=>Uf(l,a.journals)?l:a.journals),()=>{});r();let s=setInterval(r,Hf);return()=>clearInterval(s)},[]);let o=te()||e.journal;return{shown:o,others:t.filter(r=>r!==o)}}var Hf,Uf,Dn=T(()=>{K();v();H();ze();Hf=5e3;Uf=(e,t)=>e.length===t.length&&e.every((n,o)=>n===t[o])});function gt(){let[e,t]=h(Wf),{shown:n}=ht();x(()=>{br||=S("/clients"),br.then(t,()=>br=null)},[]);let o=Ge(e.command),r=e.store?` --url ${Ge(e.store)}`:"";return{clients:e.clients,setup:`${e.store?`TALLYSTICK_URL=${Ge(e.store)} `:""}${o} setup`,commandLine:s=>`${o} ${s}${r} --journal ${Ge(n)}`}}var Wf,br,Ge,nn=T(()=>{K();v();Dn();Wf={clients:[],command:"tallystick",store:""},br=null;Ge=e=>/^[\w@%+=:,./-]+$/.test(e)?e:`'${e.replaceAll("'",`'"'"'`)}'`});function ol(e,t,{reason:n="",answer:o="",text:r=""}={}){let s={verdict:t,...n.trim()?{reason:n.trim()}:{}};if(t==="respond")return o.trim()?{body:{...s,answer:o.trim()}}:{problem:"Enter an answer for the agent.",field:"answer"};if(t!=="edit")return{body:s};let a=yr(r);return"problem"in a?{problem:a.problem,field:"arguments"}:lr(a.value,e.arguments??{})?{problem:"The arguments are unchanged. To grant the call as asked, choose Accept.",field:"arguments"}:{body:{...s,arguments:a.value}}}function yr(e){let t;try{t=Js(e)}catch(n){return Kf(e,n)}return In(t)?{value:t}:{problem:"Arguments must be a JSON object: begin with { and end with }.",line:1}}function Kf(e,t){if(!(t instanceof Mt))return{problem:"The arguments are nested too deep.",line:1};let n=e.slice(0,t.at).split(`
`).length;return{problem:`${e.trim()?t.message:"Arguments are missing"}. Check line ${n}.`,line:n}}function No(e,t){return t&&t.status==="expired"?"Too late: the question has expired. Nothing was granted, and the agent has to ask again.":t&&t.status==="closed"?"Too late: its execution has ended. Nothing was granted.":t&&t.status!=="pending"?`The question was already answered${t.decided_by?` by ${t.decided_by}`:t.answered_in?` in ${t.answered_in}`:""}: ${Dt(t.status)}. Your answer was not used.`:e.code==="not_permitted"||e.status===403?"You are not logged in as a person who may decide. Your answer is kept: enter a credential, and send it again.":[e.message,e.hint].filter(Boolean).join(" ")}function Dt(e){return e==="used"?"accepted, and used":e in Pn?Pn[e].past.toLowerCase():e}var Pn,on=T(()=>{Mo();go();Pn={approve:{verb:"Accept",past:"Accepted",key:"a"},edit:{verb:"Edit",past:"Accepted with other arguments",key:"e"},reject:{verb:"Reject",past:"Rejected",key:"r"},respond:{verb:"Respond",past:"Answered",key:"m"}}});function Lo({get:e,post:t}){return async(n,o,r)=>{let s=`/v1/approvals/${encodeURIComponent(n)}`;try{let a=await t(`${s}/decision`,o,{key:r});return{id:n,ok:!0,status:a.status,problem:""}}catch(a){let l=await e(s).catch(()=>null),{status:c}=a;return{id:n,ok:!1,status:l?.status??"",problem:No(a,l),refused:c===401||c===403,unreachable:!c&&!l}}}}var sn,jn=T(()=>{on();sn=()=>`page-${crypto.randomUUID?.()??[...crypto.getRandomValues(new Uint32Array(4))].join("-")}`});async function Jf(e){let n=(await Promise.all(Gf.map(r=>S("/v1/entries",{kind:r,newest_first:!0,limit:Vf},{signal:e})))).flatMap(r=>r.entries).toSorted((r,s)=>r.seq-s.seq),o=new Set;for(let{kind:r,facts:s}of n)r==="credential_added"&&s.scopes?.includes("approve")&&!(s.expires&&Yf(s.expires))?o.add(s.name):o.delete(s.name);return[...o]}function sl(){let{data:e}=D({kinds:["credential_"]},t=>Jf(t).catch(()=>[]));return e?e.length?i`<p class="soft who-may">May decide: ${e.map((t,n)=>i`${n?", ":""}<strong><${m} text=${t} /></strong>`)}.</p>`:i`<p class="soft who-may">No one here is known to hold a credential with the scope <code>approve</code>.</p>`:null}var Vf,Gf,Yf,rl=T(()=>{K();v();Z();qe();Vf=200,Gf=["credential_added","credential_revoked"];Yf=e=>(typeof e=="number"?e/1e3:Date.parse(e))<=Date.now()});function Je({onDone:e,scope:t="approve"}){let[n,o]=h(""),[r,s]=h(""),[a,l]=h(!1),c=I(null),[d,u]=h(!1),p=Me(),$=gt().commandLine("credential add NAME");return i`<form class="credential" ref=${c} onSubmit=${async g=>{g.preventDefault(),l(!0);let b=n,C=await Te("/login",{token:b.trim()}).then(()=>"",Xf),A=C?null:await ut();l(!1),o(_=>_===b?"":_),A&&(t==="approve"?A.may_decide:A.scopes.includes(t))?e?.():(s(C||`This credential ${t==="approve"?"may not decide: it ":""}lacks the scope “${t}”.`),c.current?.contains(document.activeElement)&&document.getElementById(p)?.focus())}} aria-labelledby=${`${p}-title`}>
    <h2 id=${`${p}-title`} class="visually-hidden">Who are you?</h2>
    <div class="credential-row">
      <label class="field" for=${p}>
        <span>Credential <span class="faint">${Qf[t]}</span></span>
        <input
          id=${p} type="password" autocomplete="current-password" spellcheck="false" required value=${n}
          placeholder="ts_…" aria-describedby=${`${p}-problem`} aria-invalid=${r?"true":null}
          onInput=${g=>(o(g.target.value),s(""))}
        />
      </label>
      <${w} kind="primary" type="submit" disabled=${a||!n.trim()}>Use it in this session<//>
    </div>
    <p id=${`${p}-problem`} class="field-problem" role="alert">${r}</p>
    <details class="credential-how" onToggle=${g=>u(g.target.open)}>
      <summary>${t==="approve"?"I have none: who may decide?":"I have none"}</summary>
      ${d&&t==="approve"&&i`<${sl} />`}
      <p class="soft">The operator of this server can create one. It is shown once:</p>
      <span class="command"><code>${$}</code><${ye} text=${$} what="the command" /></span>
    </details>
  </form>`}function Xf(e){return e.status===401||e.status===403?"This credential is unknown or no longer valid.":e.message}var Qf,rn=T(()=>{rl();K();v();ze();nn();He();Qt();Qf={approve:"Deciding needs an approver’s credential. An agent’s token can never do it.",admin:"This needs a credential with the scope “admin”. An agent’s token can never do it."}});function Ye(e,t,n){let o=URL.createObjectURL(new Blob(Array.isArray(t)?t:[t],{type:n})),r=Object.assign(document.createElement("a"),{href:o,download:b$(e)});document.body.append(r),r.click(),r.remove(),setTimeout(()=>URL.revokeObjectURL(o),6e4)}function b$(e){return e.normalize("NFKC").replaceAll(/[^\p{L}\p{N}._ -]+/gu,"-").replace(/^[.\s-]+/,"").slice(0,120)||"tallystick"}var Wn=T(()=>{});function Bo(e){let[t,n]=h({library:null,problem:null});if(x(()=>{e().then(o=>n({library:o,problem:null}),o=>n({library:null,problem:o}))},[e]),t.problem)throw t.problem;return t.library}var jl,ql,Mr=T(()=>{v();jl=()=>import("./dagre-72RP2Z24.js"),ql=()=>import("./uplot-2LURMCIS.js").then(e=>e.default)});function cc(e){let[t,n]=h({lines:[],complete:!1,problem:null}),o=I([]),r=I(new Set),s=I(0),a=I(0),l=(p,$=!0)=>{o.current=p,n({lines:p,complete:$,problem:null})},c=async()=>{let p=a.current+=1,$=[],f="";do{let g=await S("/v1/actions",{execution_id:e,limit:lc,cursor:f});if(p!==a.current)return;$=$.concat(g.actions),f=g.next_cursor||"",f&&$.length>o.current.length&&l($,!1)}while(f);l($)},d=async()=>{s.current=0;let p=[...r.current];r.current.clear();let $=o.current;if(!$.length||p.length>um||p.includes("*"))return c();let f=a.current,g=await S("/v1/actions",{execution_id:e,limit:lc,cursor:$[$.length-1].id}),b=new Set($.map(_=>_.id)),C=await Promise.all(p.filter(_=>b.has(_)).map(_=>S(`/v1/actions/${_}`)));if(f!==a.current)return;if(g.next_cursor)return c();let A=new Map(C.map(_=>[_.id,_]));l([...$.map(_=>A.has(_.id)?$m(_,A.get(_.id)):_),...g.actions])},u=p=>p().catch($=>n(f=>({...f,problem:$})));return x(()=>(o.current=[],n({lines:[],complete:!1,problem:null}),u(c),()=>{a.current+=1,clearTimeout(s.current),s.current=0}),[e]),Ie(p=>{let $=!p||fm.has(p.kind);!$&&p.execution_id!==e||(r.current.add($?"*":p.id),s.current||=setTimeout(()=>u(d),pm))}),t}function $m(e,t){let{state:n,ended:o,lost:r,undo_state:s,undone_by:a,attempt:l}=t;return{...e,state:n,ended:o,lost:r,undo_state:s,undone_by:a,attempt:l}}var lc,um,pm,fm,dc,Or=T(()=>{K();v();Z();lc=2e3,um=12,pm=60,fm=new Set(["session_ended","body_erased"]);dc=e=>e.summary||e.tool||e.step||e.id});function Uo(){let[e,t]=h(""),{shown:n,others:o}=ht(),{clients:r,setup:s,commandLine:a}=gt(),l=[...new Set(r.map(d=>d.client))],c=r.filter(d=>d.client===(e||l[0]));return i`<div class="page first-steps">
    <header class="first-steps-head">
      <${vo} size=${40} />
      <h1>Nothing is recorded yet</h1>
      <p class="soft">Plans, actions, decisions and undo lists appear here as soon as they are recorded. The page updates itself.</p>
      <p class="first-steps-wait" role="status"><span class="pulse"></span>Waiting for the first entry in <code>${n}</code>…</p>
      ${o.length>0&&i`<p role="status">Each project has its own journal. Journals with entries:
        ${o.slice(0,Dr).map((d,u)=>i`${u?", ":" "}<a href=${`/?journal=${encodeURIComponent(d)}`}>${d}</a>`)}${o.length>Dr?` and ${o.length-Dr} more`:""}.</p>`}
    </header>
    <div class="first-steps-ways">
      <${j} title="1. Record every call" level=${2}>
        <p>One command sets up the hooks of Claude Code, Codex, Gemini CLI, Cursor and Copilot. It shows what it changes,
        and <code>setup --remove</code> reverts it.</p>
        <${Pr} text=${s} />
      </${j}>
      <${j} title="2. Give the agent the journal's tools" level=${2}>
        <p>With the tools, an agent can record plans and decisions, and read what the last agent did.</p>
        ${l.length>0&&i`<${ie} label="Client" value=${e||l[0]} choices=${l} onChange=${t} />`}
        ${c.map(d=>i`<div class="snippet" key=${d.over+d.where+d.client}>
            <p class="soft">${d.where.replaceAll("`","")}${d.over==="http"?", through this server":""}</p>
            <${Pr} text=${d.text} />
          </div>`)}
      </${j}>
      <${j} title="3. Or write the first entry yourself" level=${2}>
        <${Pr} text=${a('record execution-start --title "Clean up"')} />
        <p class="soft"><${k} name="right" />This page then shows the execution.</p>
      </${j}>
    </div>
  </div>`}function Pr({text:e}){return i`<div class="snippet-command"><pre tabindex="0"><code>${e}</code></pre><${ye} text=${e} what="command" /></div>`}var Dr,jr=T(()=>{v();oe();Dn();nn();B();Dr=8});function Mc(e){let t=[];for(let[,n,o,r]of e.matchAll(/(?:([a-z]+):)?(?:"([^"]*)"|(\S+))/g)){let s=o??r??"";n&&!(n in Ec)?t.push({field:"",value:`${n}:${s}`}):t.push({field:n||"",value:s})}return t}function Jn(e){return e.map(({field:t,value:n})=>`${t?`${t}:`:""}${/\s/.test(n)?`"${n}"`:n}`).join(" ")}function Oc(e){let n=e.filter(({field:o})=>o==="status").flatMap(({value:o})=>Ac(o)).find(o=>!(o in Cc));return n===void 0?null:{message:`“${n}” is no state of an execution.`,hint:`Use one of: ${Object.keys(Wo).join(", ")}, open.`}}function Ic(e){let t={status:[]},n=[];for(let{field:o,value:r}of e)!o||o==="tool"?n.push(r):o==="status"?t.status.push(...Ac(r).flatMap(s=>Cc[s]??[s])):t[Ec[o]]=r;return{...t,text:n.join(" ")}}function Nc(e,t){let n=e.filter(r=>r.field!==t.field||r.value!==t.value);if(n.length<e.length)return n;let o=t.field==="status"||t.field==="only";return[...e.filter(r=>!o||r.field!=="status"&&r.field!=="only"),t]}var Ec,Wo,qr,Tc,Cc,Ac,Br=T(()=>{Ec={status:"status",agent:"actor",client:"client",task:"task_id",plan:"plan_id",tool:"tool",only:"only",since:"since",until:"until"},Wo={...Object.fromEntries(["running","interrupted","paused","unwinding","completed","failed","cancelled","closed"].map(e=>[e,[e]])),waiting:["waiting","blocked"]},qr=["running","blocked","paused","unwinding"],Tc=[["status:",`${Object.keys(Wo).join(", ")}, or open`],["agent:","the agent that started it"],["client:","claude-code, codex-cli, …"],["task:","the task of the execution"],["tool:","a tool that was called"],["only:","in_doubt, owed, waiting, interrupted or working"],["since:","2d, 4h or a date; until: too"]];Cc={...Wo,open:qr,blocked:["blocked"],"waiting for a person":Wo.waiting},Ac=e=>e.split(",").map(t=>t.trim().toLowerCase())});function cn({row:e,selected:t,index:n,onFocus:o}){return i`<div class=${ne("exec",t&&"exec-selected")} role="listitem" data-index=${n}>
    <span class="exec-state"><${V} state=${Ot(e)} /></span>
    <span class="exec-what">
      <a class="exec-link cut" href=${y(`/x/${e.id}`)} onFocus=${o}><${m} text=${e.title||e.id} /></a>
      <span class="exec-meta cut">
        ${e.actor&&i`<span><${m} text=${e.actor} /></span>`}
        ${e.client&&i`<span>${e.client}</span>`}
        ${e.task_id&&i`<span>${e.task_id}</span>`}
        <code>${e.id}</code>
      </span>
    </span>
    <span class="exec-plan">
      <${Nt} row=${e} running=${Ot(e)==="running"} failed=${!!e.failed&&!["running","completed"].includes(e.status)} />
      ${e.total_steps?i`<span class="exec-step cut">${it(e)}${e.step&&e.status!=="completed"?i` · ${e.step}`:null}</span>`:null}
    </span>
    <span class="exec-flags"><${Lm} row=${e} /></span>
    <span class="exec-last"><${Rm} row=${e} /></span>
  </div>`}function Lm({row:e}){let t=e.failed??e.actions?.failed??0;return i`
    ${e.waiting?i`<${se} tone="waiting" icon="blocked" title="Approvals pending">${e.waiting} pending</${se}>`:null}
    ${e.in_doubt?i`<${se} tone="doubt" icon="in_doubt" title="Actions with an unknown outcome">${e.in_doubt} in doubt</${se}>`:null}
    ${t?i`<${se} tone="failed" icon="failed" title="Actions that failed">${t} failed</${se}>`:null}
    ${e.owed?i`<${se} tone="undo" icon="owed" title="Somebody still has to undo this">${e.owed} owed</${se}>`:null}
  `}function Rm({row:e}){return e.interrupted?i`<span class="quiet" title=${`last worked on by ${e.interrupted_by||"a session"} (${e.last_session})`}><${L} at=${e.interrupted} lead="left " /></span>`:["running","unwinding"].includes(Ot(e))?i`<${Dm} at=${e.last} />`:i`<${L} at=${qr.includes(e.status)?e.last:e.ended||e.last} />`}function Dm({at:e}){let t=we()-Date.parse(e)>Nm;return i`<span class=${t?"quiet":null}><${L} at=${e} lead=${t?"quiet for ":""} /></span>`}function Lc({group:e,count:t,by:n,more:o}){return i`<div class="exec-group" role="listitem">
    <strong>${e||`no ${n}`}</strong><span class="faint">${t}${o?"+":""}</span>
  </div>`}var Nm,Ko=T(()=>{v();H();B();Br();Nm=12e4});function Hc(e){let t=zc(e);return Xm.test(t)?"switch":Zm.test(t)?"amount":eh.test(t)?"target":""}function th(e,t){return/^dry_?run$/.test(zc(e))?t===!0?"a rehearsal":t===!1?"not a rehearsal":"":t===!0?"is on":""}function Hr(e){let t={first:[],plain:[],lists:[],nested:[]};if(!Bt(e)||Array.isArray(e))return Array.isArray(e)&&t.lists.push(["arguments",e]),t;for(let[n,o]of Object.entries(e))Array.isArray(o)&&o.length?t.lists.push([n,o]):Bt(o)&&Object.keys(o).length?t.nested.push([n,o]):Uc(t,[n],o);for(let[n,o]of t.nested)Wc(t,[n],o);return t.first.sort((n,o)=>jc.indexOf(n.danger)-jc.indexOf(o.danger)),t}function Uc(e,t,n){let o=t[t.length-1],r=Hc(o),s={path:t,value:n,danger:r,note:r==="switch"?th(o,n):""};(r?e.first:e.plain).push(s)}function Wc(e,t,n){if(!(!Bt(n)||Array.isArray(n)||t.length>=Jm))for(let[o,r]of Object.entries(n))Bt(r)?Wc(e,[...t,o],r):Hc(o)&&Uc(e,[...t,o],r)}function Vc(e){return e.length>1&&e.every(n=>Bt(n)&&!Array.isArray(n))?[...new Set(e.flatMap(n=>Object.keys(n)))]:[]}function Ur(e){let t=e.map(r=>typeof r=="number"||r instanceof Ee?String(r):"");if(t.every(r=>nh.test(r)))return oh(t);let n=new Map;for(let r of e){let s=re(r,{sorted:!0});n.set(s,(n.get(s)||0)+1)}if(n.size===1)return`the same in all ${e.length}: ${Fr([...n.keys()][0])}`;if(n.size<=Qm)return[...n].map(([r,s])=>`${s} × ${Fr(r)}`).join(", ");let o=[...n.values()].filter(r=>r>1).length;return`${n.size} different${o?`, ${o} of them more than once`:""}`}function oh(e){let t=Math.max(...e.map(l=>(l.split(".")[1]||"").length)),n=e.map(l=>BigInt(l.replace(".","")+"0".repeat(t-(l.split(".")[1]||"").length))),o=n.toSorted((l,c)=>l<c?-1:l>c?1:0),[r,s]=[o[0],o[o.length-1]].map(l=>qc(l,t)),a=qc(n.reduce((l,c)=>l+c,0n),t);return`${r===s?`each ${r}`:`${r} to ${s}`}, together ${a}`}function qc(e,t){let n=String(e<0n?-e:e).padStart(t+1,"0"),o=t?`${n.slice(0,-t)}.${n.slice(-t)}`:n;return e<0n?`-${o}`:o}function Go(e,t){let{first:n,plain:o,lists:r,nested:s}=Hr(t),a=new Set(s.map(([u])=>u)),l=[...n,...o].map(({path:u,value:p})=>`${u.map(Le).join(".")} ${Fr(re(p))}`),c=[...a].filter(u=>!n.some(({path:p})=>p[0]===u));return[/\s/.test(e)?JSON.stringify(e):e,...l,...r.map(([u,p])=>`${p.length} ${Le(u)}`),...c.map(u=>`${Le(u)} {…}`)].filter(Boolean).join(" · ")}function Gc(e,t){let n=zr(e,t);return{undo:n,waits:rh.test(typeof n=="string"?n:re(n??null))}}function zr(e,t){if(Array.isArray(e))return e.map(o=>zr(o,t));if(Bt(e))return Object.fromEntries(Object.entries(e).map(([o,r])=>[o,zr(r,t)]));if(typeof e!="string")return e;let n=e.match(/^\$\{arguments((?:\.[^.{}]+)+)\}$/);return n?Fc(n[1],t)??e:e.replace(sh,(o,r)=>{let s=Fc(r,t);return s===void 0?o:typeof s=="string"?s:re(s)})}function Fc(e,t){for(let n of e.split(".").slice(1)){if(!Bt(t)||!Object.hasOwn(t,n))return;t=t[n]}return t===null||typeof t=="string"&&t.startsWith("[masked")?void 0:t}var Jm,Ym,Qm,Xm,Zm,eh,zc,Bt,jc,Kc,nh,Bc,Fr,sh,rh,Jo=T(()=>{dt();De();We();Jm=4,Ym=8,Qm=3,Xm=/^(dry_?run|forced?|recursive|overwrite|confirm(ed)?|yes|all|permanent(ly)?|hard|purge|cascade|prune|wipe|unsafe|insecure|public|sudo|privileged|auto_?approve|(no|skip|allow|ignore|delete|disable)_\w+)$/,Zm=/(^|_)(amount|total|sum|price|cost|fee|budget|currency|quantity|count|limit|max|percent|rate|days|replicas)$/,eh=/(^|_)(to|target|destination|dest|recipients?|host(name)?|server|ur[li]|path|file(name)?|dir(ectory)?|folder|bucket|branch|env(ironment)?|region|cluster|namespace|database|db|table|account|user|email|role|project|tenant|domain|channel|command|cmd|query|sql|script)$/,zc=e=>e.replace(/([a-z0-9])([A-Z])/g,"$1_$2").replace(/[\s.-]+/g,"_").toLowerCase(),Bt=e=>typeof e=="object"&&e!==null&&!(e instanceof Ee);jc=["switch","amount","target"];Kc=e=>e.length>Ym;nh=/^-?\d+(?:\.\d+)?$/;Bc=40,Fr=e=>e.length>Bc?`${e.slice(0,Bc)}…`:e;sh=/\$\{arguments((?:\.[^.{}]+)+)\}/g,rh=/\$\{result[^{}]*\}/});function Yc({approval:e,onChoose:t,last:n=""}){let{options:o=[]}=e,r=I(null);x(()=>{n&&r.current?.querySelector(`.verdict-${n}`)?.focus()},[]);let s=a=>{Bs(un(e),{...kn(un(e)),verdict:"respond",answer:a}),t("respond")};return i`<div class="verdict-bar" ref=${r}>
    ${o.length?i`<div class="verdict-options" role="group" aria-label="Offered by the agent">
          <span class="soft">${Qe(e)?"Answer without granting the call:":"Answer:"}</span>
          ${o.map(a=>i`<${w} key=${a} kind=${Qe(e)?"plain":"primary"} class="verdict-option" onClick=${()=>s(a)}><${m} text=${a} /><//>`)}
        </div>`:null}
    <div class="verdicts" role="group" aria-label="Answer" tabindex="-1">
      ${Object.entries(Pn).filter(([a])=>Wr(e,a)).map(([a,{verb:l,key:c}])=>i`<${w}
          key=${a} kind=${a==="approve"?"primary":"plain"} icon=${Jc[a]}
          class=${`verdict verdict-${a}`} aria-keyshortcuts=${c} onClick=${()=>t(a)}
        >${l}<//>`)}
    </div>
  </div>`}function Wr(e,t){return t==="edit"?Qe(e):t!=="approve"||Qe(e)||!!e.step||!e.options?.length}function Qc(e){let{verdict:t=""}=kn(un(e));return t in Pn?t:""}function Xc({approval:e,verdict:t,decide:n,over:o=!1,may:r=!0,onSend:s,onDone:a,onCancel:l}){let c=Aa(tt(e.arguments??{})),[d,u,p]=po(un(e),{reason:"",answer:"",text:c,key:"",sent:""}),[$,f]=h(!1),[g,b]=h(!1),C=I(null),A=Me(),_=ol(e,t,d),M="problem"in _?_:null,E=N=>W=>u({verdict:t,[N]:W.target.value}),F=I(!1);x(()=>{if(F.current&&!fo())return;F.current=!0;let N=matchMedia("(pointer: coarse)").matches&&t!=="edit";C.current?.querySelector(N?"[type=submit]":"textarea, input")?.focus({preventScroll:!0})},[r]);let G=async N=>{if(N.preventDefault(),f(!0),M||g||o||!r)return;b(!0),s?.();let{body:W}=_,Q=re(W),ee=d.sent===Q&&d.key?d.key:sn();u({verdict:t,sent:Q,key:ee});let q=await n(e.id,W,ee);q.ok&&p(),b(!1),a(q)},O=()=>{o?p():u({verdict:""}),l()};return i`<form class="verdict-form" ref=${C} onSubmit=${G} onKeyDown=${N=>{N.key==="Escape"&&(N.stopPropagation(),O()),N.key==="Enter"&&(N.metaKey||N.ctrlKey)&&G(N)}} aria-labelledby=${`${A}-title`}>
    <h3 id=${`${A}-title`}>${ih[t]}</h3>
    ${t==="edit"&&i`<${lh} approval=${e} text=${d.text} onInput=${E("text")} />`}
    ${t==="respond"&&i`<${ch} approval=${e} value=${d.answer} onInput=${E("answer")} onPick=${N=>u({verdict:t,answer:N})} />`}
    <label class="field">
      <span>Reason <span class="faint">recorded in the journal, and shown to the agent</span></span>
      <input type="text" value=${d.reason} onInput=${E("reason")} autocomplete="off" maxlength="2000" />
    </label>
    <p class="field-problem" role="alert">${$&&M?M.problem:""}</p>
    <div class="verdict-send">
      ${r&&i`<${w} kind=${t==="reject"?"danger":"primary"} type="submit" disabled=${g||o} icon=${Jc[t]}>${ah[t]}<//>`}
      <${w} kind="ghost" onClick=${O}>${o?"Close":"Not yet"}<//>
    </div>
  </form>`}function lh({approval:e,text:t,onInput:n}){let o=Me(),r=yr(t),s=re(e.arguments??{}).includes("[masked:");return i`<div class="editor">
    <label class="field" for=${o}><span>Arguments of <code><${m} text=${e.tool||"the call"} /></code>, as JSON</span></label>
    <textarea
      id=${o} class="editor-text" spellcheck="false" autocapitalize="off" autocomplete="off"
      rows=${Math.min(18,Math.max(5,t.split(`
`).length+1))} value=${t}
      aria-invalid=${"problem"in r?"true":null} aria-describedby=${`${o}-status`} onInput=${n}
    ></textarea>
    <p id=${`${o}-status`} class="editor-status" role="status">
      ${"problem"in r?i`<${k} name="warning" size=${14} /> ${r.problem}`:i`<${k} name="check" size=${14} /> Valid JSON`}
    </p>
    ${s&&i`<p class="note"><${k} name="warning" size=${14} /> A secret is masked here. If you send it, the mask is granted as text.</p>`}
    ${"value"in r&&i`<${Be} before=${e.arguments??{}} after=${r.value} titles=${["asked","granted"]} />`}
    <p class="note soft">
      An edit makes a new digest: the agent may call <code><${m} text=${e.tool||"the tool"} /></code> once, with exactly these
      arguments. The original call is not granted.
    </p>
  </div>`}function ch({approval:e,value:t,onInput:n,onPick:o}){return i`
    ${e.options?.length?i`<${ie} label="Suggested answers" value=${t} choices=${e.options.map(r=>[r,i`<${m} text=${r} />`])} onChange=${o} />`:null}
    <label class="field">
      <span>Answer <span class="faint">shown to the agent; it grants no call</span></span>
      <textarea rows="3" value=${t} onInput=${n} required></textarea>
    </label>`}var Jc,Qe,un,ih,ah,Yo=T(()=>{Kt();$o();v();oe();De();He();cr();Nn();qe();We();on();jn();Jc={approve:"check",edit:"edit",reject:"close",respond:"reply"};Qe=e=>!!(e.tool||e.arguments);un=e=>co("approval",e.id,e.asked);ih={approve:"Grant exactly what is shown above",edit:"Grant other arguments instead",reject:"Reject the call",respond:"Answer the agent without granting a call"},ah={approve:"Accept exactly this",edit:"Grant the edited call",reject:"Reject it",respond:"Send the answer"}});function Xn(e,t){if(!e)return{text:"no time limit",urgency:"none",next:1/0};let n=Date.parse(e)-t;if(n<=0)return{text:"expired",urgency:"over",next:1/0};let o=n<=uh?"soon":"calm",[r,s]=dh.find(([,c])=>n>=2*c)??["s",1e3],a=s===1e3,l=a?Math.ceil(n/s):Math.floor(n/s);return{text:`${l} ${r} left`,urgency:o,next:a?n-(l-1)*s:n-l*s+1}}function Zc(e){let t=n=>n.expires?Date.parse(n.expires):1/0;return e.toSorted((n,o)=>(t(n)===t(o)?0:t(n)-t(o))||(n.id<o.id?-1:1))}var dh,uh,Qo=T(()=>{dh=[["d",864e5],["h",36e5],["min",6e4]],uh=10*6e4});function cd(){return Ie(e=>{e?.kind==="approval_requested"&&ld()&&!document.hasFocus()&&vh(e)}),null}function vh(e){let t=typeof e.body?.question=="string"?e.body.question:"An agent has a question.",n=new Notification(xe(t.slice(0,200)),{body:`${xe(e.facts?.tool||e.actor)} is waiting for you`,tag:e.id});n.onclick=()=>{window.focus(),ce(y(`/approvals/${e.id}`)),n.close()}}function dd(){let[e,t]=h(ld);return ad()?i`<${w} icon="bell" pressed=${e} onClick=${async()=>{if(e)return localStorage.removeItem(Jr),t(!1);if(await Notification.requestPermission()!=="granted")return $e("The browser does not allow notifications. Change its settings for this site.","failed");localStorage.setItem(Jr,"yes"),t(!0)}}>Notify me<//>`:null}var Jr,ad,ld,Yr=T(()=>{v();Z();H();He();Vt();We();Jr="tallystick.notify",ad=()=>"Notification"in window&&window.isSecureContext,ld=()=>localStorage.getItem(Jr)==="yes"&&ad()&&Notification.permission==="granted"});function bd({approvals:e,onVerdict:t,onClear:n}){return i`<div class="batch-bar" role="region" aria-label="Selected questions">
    <strong>${e.length} selected</strong>
    <${w} kind="primary" icon="check" onClick=${()=>t("approve")}>Accept<//>
    <${w} icon="close" onClick=${()=>t("reject")}>Reject<//>
    <${w} kind="ghost" onClick=${n}>Clear<//>
  </div>`}function yd({approvals:e,verdict:t,onClose:n}){let[o,r]=h(""),[s,a]=h({}),[l,c]=h(!1),[d]=h(()=>Object.fromEntries(e.map(g=>[g.id,sn()]))),u=t==="approve",p=Object.keys(s).length,$=()=>n(Object.values(s).filter(g=>g.ok).map(g=>g.id)),f=async g=>{g.preventDefault(),c(!0);for(let b of e){let C={verdict:t,...o.trim()?{reason:o.trim()}:{}},A=await Wh(b.id,C,d[b.id]);a(_=>({..._,[b.id]:A}))}};return i`<${et} wide title=${`${u?"Accept":"Reject"} ${e.length} questions`} onClose=${$}>
    <form class="batch" onSubmit=${f}>
      <p class="soft">Each question is decided separately, and bound to its own exact arguments. If one fails, the others are still decided.</p>
      <ul class="batch-rows">
        ${e.map(g=>i`<li key=${g.id}>
          <div class="batch-question">
            <span><${m} text=${g.question} /></span>
            ${g.tool&&i`<pre class="batch-call" tabindex="0"><${m} text=${g.tool} /> <${Pe} text=${tt(g.arguments??{})} /></pre>`}
          </div>
          <${Kh} outcome=${s[g.id]} sent=${l} />
        </li>`)}
      </ul>
      ${l?i`<p role="status">${p<e.length?`Deciding ${p+1} of ${e.length}…`:Vh(s)}</p>
            <${w} kind="primary" disabled=${p<e.length} onClick=${$}>Close<//>`:i`<label class="field"><span>One reason for all</span>
              <input type="text" value=${o} maxlength="2000" onInput=${g=>r(g.target.value)} /></label>
            <div class="verdict-send">
              <${w} kind=${u?"primary":"danger"} type="submit" icon=${u?"check":"close"}>
                ${u?"Accept":"Reject"} all ${e.length}
              <//>
              <${w} kind="ghost" onClick=${$}>Not yet<//>
            </div>`}
    </form>
  <//>`}function Kh({outcome:e,sent:t}){return e?i`<span class=${`batch-outcome tone-${e.ok?"ok":"failed"}`}>
    <${k} name=${e.ok?"check":"warning"} /> ${e.ok?Dt(e.status):e.problem}
  </span>`:i`<span class="batch-outcome faint">${t?"waiting":""}</span>`}function Vh(e){let t=Object.values(e),n=t.filter(o=>o.ok).length;return n===t.length?`All ${n} were decided.`:`${n} of ${t.length} were decided; the others show the reason.`}var Wh,xd=T(()=>{K();v();oe();B();qe();on();jn();Wh=Lo({get:S,post:Te})});function Ft(e,t){return e.status==="pending"&&Xn(e.expires??"",t).urgency==="over"?"expired":e.status}function es({expires:e=""}){let t=me("zone"),{text:n,urgency:o}=Xn(e,we());return o==="none"?i`<span class="expiry faint">${n}</span>`:i`<time class=${`expiry expiry-${o}`} dateTime=${e} title=${`expires ${tn(e,t)}`}>
    <${k} name=${o==="soon"?"warning":"late"} size=${14} /> ${n}
  </time>`}var ts=T(()=>{v();oe();mt();Ve();Qo()});function _d({approval:e}){let{data:t}=D({by:[e.id],kinds:["body_erased"]},s=>Jh(e,s));if(!t||!e.execution_id)return null;let{why:n,plan:o,actions:r}=t;return i`<aside class="background" aria-label="Background">
    ${n&&i`<section><h3>Why it is asked</h3><p><${m} text=${n} /></p></section>`}
    ${o&&(o.reasoning||o.goal)&&i`<section><h3>The plan</h3>
      <p><a href=${y(`/plans/${o.id}`)}><${m} text=${o.title||o.id} /></a></p>
      ${o.goal&&i`<p class="soft">Goal: <${m} text=${o.goal} /></p>`}
      ${o.reasoning&&i`<p class="soft">Reason: <${m} text=${o.reasoning} /></p>`}
      ${o.reason&&i`<p class="soft">Revised: <${m} text=${o.reason} /></p>`}</section>`}
    <section><h3>Done before</h3>
      ${r.length?i`<ol class="background-actions">${r.map(s=>i`<li key=${s.id}>
            <a href=${y(`/x/${e.execution_id}`,{action:s.id})}><${m} text=${dc(s)} /></a>
            <span class="background-state"><${V} state=${s.state} quiet /><span class="faint"><${L} at=${s.begun} /></span></span>
          </li>`)}</ol>`:i`<p class="soft">Nothing was recorded before the question.</p>`}</section>
  </aside>`}async function Jh(e,t){let n=e.execution_id;if(!n)return{why:"",plan:null,actions:[]};let[o,r,s]=await Promise.all([Yh(e,t),e.plan_id?S(`/v1/plans/${encodeURIComponent(e.plan_id)}`,{},{signal:t}).catch(()=>null):null,S("/v1/actions",{execution_id:n,until:e.asked,newest_first:!0,limit:Gh},{signal:t})]),a=r?.revisions?.reduce((l,c)=>c.revision>l.revision?c:l);return{why:o,plan:a||null,actions:s.actions}}async function Yh(e,t){let o=(await S("/v1/entries",{id:e.id,execution_id:e.execution_id,limit:1},{signal:t})).entries[0]?.seq;if(!o)return"";let s=(await S("/v1/entries",{execution_id:e.execution_id,after:o,limit:1},{signal:t})).entries[0];return s?.facts?.approval_id===e.id&&s.body?.why||""}var Gh,wd=T(()=>{K();Or();v();Z();H();B();Gh=5});function Sd(e){let t=e.failure_policy??"manual_decision";return typeof t=="string"?{action:t,reason:"",to:[]}:{action:t.action??"manual_decision",reason:t.reason??"",to:t.propagate_to??[]}}function ns(e){return e?typeof e=="string"?{words:e,tool:""}:e.words||e.tool?{words:e.words??"",tool:e.tool??"",arguments:e.arguments}:null:null}function Ed(e,t){let n=new Map(e.map((a,l)=>[a.id,l])),o=t.filter(a=>n.has(a.id)).map(a=>a.id),r=e.filter(a=>t.some(l=>l.id===a.id)).map(a=>a.id),s=t.map(a=>{let l=n.get(a.id);if(l===void 0)return{id:a.id,change:"added",after:a,fields:[]};let c=Eo(e[l],a),d=[...new Set(c.map($=>To($.path.slice(0,1))))],u=o.indexOf(a.id)!==r.indexOf(a.id),p=d.length?"changed":u?"moved":"same";return{id:a.id,change:p,before:e[l],after:a,fields:d}});return e.forEach((a,l)=>{if(t.some(u=>u.id===a.id))return;let c=e.slice(l+1).find(u=>s.some(p=>p.id===u.id)),d=c?s.findIndex(u=>u.id===c.id):s.length;s.splice(d,0,{id:a.id,change:"removed",before:a,fields:[]})}),s}function Td(e,t){return["title","goal","reasoning"].filter(n=>(e[n]??"")!==(t[n]??"")).map(n=>({name:n,before:e[n]??"",after:t[n]??""}))}var vd,kd,os=T(()=>{Mo();vd={reversible:{word:"reversible",icon:"unwinding",tone:"ok"},"partially-reversible":{word:"partly reversible",icon:"owed",tone:"doubt"},irreversible:{word:"irreversible",icon:"cancelled",tone:"failed"}},kd={cancel_all:"cancel all",cancel_dependent:"cancel dependent steps",continue_others:"continue other steps",manual_decision:"a person or agent decides"}});function Md({steps:e,chosen:t=""}){return i`<ol class="steps">
    ${e.map((n,o)=>i`<li key=${n.id} id=${`step-${n.id}`} class=${n.id===t?"is-chosen":null}>
      <span class="step-number num" aria-hidden="true">${o+1}</span>
      <div class="step-body"><${Zr} step=${n} /></div>
    </li>`)}
  </ol>`}function Zr({step:e}){return i`
    <div class="step-head">
      <h3><${m} text=${e.title||e.id} /></h3>
      <code class="soft"><${m} text=${e.id} /></code>
      <span class="step-end">
        ${e.needs_approval&&i`<${se} tone="waiting" icon="person">needs approval<//>`}
        <${ei} step=${e} />
      </span>
    </div>
    <dl class="step-facts">
      ${e.tool&&i`<div><dt>tool</dt><dd><code><${m} text=${e.tool} /></code> <span class="soft">${e.effect??"unsafe"}</span></dd></div>`}
      <div><dt>after</dt><dd>${e.after?.length?e.after.map((t,n)=>i`${n?", ":""}<a href=${`#step-${t}`} data-native><${m} text=${t} /></a>`):i`<span class="faint">nothing</span>`}</dd></div>
      <div><dt>undo</dt><dd><${Qh} step=${e} /></dd></div>
      <div><dt>if it fails</dt><dd><${Xh} step=${e} /></dd></div>
      <div><dt>estimate</dt><dd>${e.estimate===void 0||e.estimate===null?i`<span class="faint">none</span>`:ue(e.estimate*1e3)}</dd></div>
      ${e.probe?i`<div><dt>probe</dt><dd><${m} text=${typeof e.probe=="string"?e.probe:e.probe.words||e.probe.tool} /></dd></div>`:null}
    </dl>
    ${e.arguments&&Object.keys(e.arguments).length?i`<details class="step-arguments"><summary>Arguments</summary><${ae} value=${e.arguments} label=${`arguments of ${e.id}`} whole /></details>`:null}`}function ei({step:e}){let{word:t,icon:n,tone:o}=vd[e.cancellable]??{word:e.cancellable,icon:"planned",tone:"idle"};return i`<${se} tone=${o} icon=${n}>${t}<//>`}function Qh({step:e}){let t=ns(e.undo),n=e.undo_until?i` <span class="soft">until ${e.undo_until} after its end</span>`:null;return t?i`<${m} text=${t.words} />${t.tool&&i` <code><${m} text=${t.tool} /> ${t.arguments&&i`<${m} text=${re(t.arguments)} />`}</code>`}${n}`:e.effect==="read"?i`<span class="faint">it only reads</span>`:e.cancellable==="irreversible"?i`<span class="faint">cannot be undone</span>`:i`<span class="step-warning"><${k} name="warning" size=${14} /> no undo recorded</span>`}function Xh({step:e}){let{action:t,reason:n,to:o}=Sd(e);return i`${kd[t]??t}${o.length?i` (<${m} text=${o.join(", ")} />)`:null}${n&&i` <span class="soft">because <${m} text=${n} /></span>`}`}var ss=T(()=>{v();oe();De();B();os()});function Ad({approval:e}){let t=e.arguments,n=t==null||!Object.keys(t).length;return i`<${j} class="call" level=${3} actions=${e.cancellable&&i`<${ei} step=${e} />`} title=${i`${e.unbound?"A call of":"Exactly this call:"} <code><${m} text=${e.tool||"unnamed tool"} /></code>`}>
    ${n?i`<p class="soft">No arguments.</p>`:i`<${eg} value=${t} />`}
    <${ag} approval=${e} />
    ${e.digest&&!e.edited&&i`<p class="soft digest">An answer is bound to this call by its digest <code>${e.digest.slice(0,16)}…</code><${ye} text=${e.digest} what="the digest" /></p>`}
  <//>`}function eg({value:e}){let{first:t,plain:n,lists:o,nested:r}=Hr(e),s=re(e).includes("[masked:");return i`<div class="call-arguments" role="group" aria-label="Arguments">
    ${t.length?i`<div class="call-first"><h4>Check first</h4><${Cd} fields=${t} /></div>`:null}
    ${n.length?i`<${Cd} fields=${n} />`:null}
    ${r.map(([a,l])=>i`<div class="call-part" key=${a}><h4><code><${m} text=${Le(a)} /></code></h4><${ae} value=${l} label=${a} whole /></div>`)}
    ${o.map(([a,l])=>i`<${tg} key=${a} name=${a} list=${l} />`)}
    ${s&&i`<p class="note"><${k} name="warning" size=${14} /> A secret is masked here. The call is bound to the real value, which nobody can read.</p>`}
    <${ig} value=${e} />
  </div>`}function Cd({fields:e}){return i`<dl class="call-fields">
    ${e.map(({path:t,value:n,danger:o,note:r})=>i`<div key=${t.join(".")} class=${o==="switch"?"call-field is-switch":"call-field"}>
      <dt><code><${m} text=${t.map(Le).join(".")} /></code></dt>
      <dd><${en} value=${n} />${r&&i` <span class="call-note"><${k} name="warning" size=${14} /> ${r}</span>`}</dd>
    </div>`)}
  </dl>`}function tg({name:e,list:t}){let[n,o]=h(""),[r,s]=h(!1),a=Me(),l=Kc(t),c=t.map(($,f)=>({value:$,at:f})).filter(({value:$})=>!n||ng($).includes(n.toLowerCase())),d=r||!l?c:c.slice(0,Zh),u=Vc(t),p=c.length-d.length;return i`<section class="call-part call-list" aria-labelledby=${a}>
    <h4 id=${a}><code><${m} text=${Le(e)} /></code> <span class="call-count">${t.length} ${t.length===1?"item":"items"}</span></h4>
    ${l&&i`<${og} list=${t} columns=${u} />`}
    ${l&&i`<label class="call-filter"><span class="visually-hidden">Filter ${e}</span>
      <input type="search" placeholder=${`Filter the ${t.length} items`} value=${n} onInput=${$=>o($.target.value)} /></label>`}
    ${u.length?i`<${sg} name=${e} rows=${d} columns=${u} />`:i`<${rg} rows=${d} />`}
    ${l&&i`<p class="call-more" role="status">
      ${n?`${c.length} of ${t.length} match. `:""}${p>0?i`<strong>${p} more ${p===1?"item is":"items are"} not shown.</strong> `:`All ${c.length} are shown.`}
      ${p>0&&i`<button type="button" class="button button-plain" onClick=${()=>s(!0)}>Show all ${c.length}</button>`}
    </p>`}
  </section>`}function og({list:e,columns:t}){return t.length?i`<dl class="call-summary">${t.map(n=>{let o=e.filter(s=>Object.hasOwn(s,n)).map(s=>s[n]),r=e.length-o.length;return i`<div key=${n}><dt><code><${m} text=${Le(n)} /></code></dt><dd><${m} text=${`${Ur(o)}${r?`, missing in ${r}`:""}`} /></dd></div>`})}</dl>`:i`<p class="call-summary"><${m} text=${Ur(e)} /></p>`}function sg({name:e,rows:t,columns:n}){return i`<div class="table-scroll" tabindex="0" role="region" aria-label=${`Items of ${e}`}>
    <table class="table call-table">
      <thead><tr><th scope="col">item</th>${n.map(o=>i`<th scope="col"><code><${m} text=${Le(o)} /></code></th>`)}</tr></thead>
      <tbody>${t.map(({value:o,at:r})=>i`<tr key=${r}><th scope="row" class="num">${r+1}</th>
        ${n.map(s=>i`<td>${Object.hasOwn(o,s)?i`<${Od} value=${o[s]} />`:i`<span class="faint">missing</span>`}</td>`)}</tr>`)}</tbody>
    </table>
  </div>`}function rg({rows:e}){return i`<ol class="call-items">${e.map(({value:t,at:n})=>i`<li key=${n}><span class="faint num">${n+1}</span> <${Od} value=${t} /></li>`)}</ol>`}function Od({value:e}){return typeof e=="object"&&e!==null&&!(e instanceof Ee)?i`<code class="call-json"><${Pe} text=${re(e)} /></code>`:i`<${en} value=${e} />`}function ig({value:e}){let[t,n]=h(!1),o=re(e,{indent:2});return i`<details class="call-whole" onToggle=${r=>n(r.target.open)}>
    <summary>All arguments as JSON <span class="faint">${o.length} characters</span></summary>
    ${t&&i`<pre class="text" tabindex="0"><${Pe} text=${o} /></pre>`}
  </details>`}function ag({approval:e}){if(!e.cancellable)return null;let{undo:t,waits:n}=Gc(e.undo,e.arguments),o=ns(t);return i`<div class="call-undo">
    <p>${e.cancellable==="irreversible"?i`<span class="soft">It cannot be undone.</span>`:o?i` <span class="soft">To undo it:</span> <${m} text=${o.words} />${o.tool&&i` <code><${m} text=${o.tool} /></code>`}`:i` <span class="soft">No undo is recorded.</span>`}</p>
    ${o?.tool&&o.arguments&&Object.keys(o.arguments).length?i`<${ae} value=${o.arguments} label="arguments of the undo" whole />`:null}
    ${n&&i`<p class="soft">A part of it, written <code>\${result…}</code>, is known after the call.</p>`}
  </div>`}var Zh,ng,Id=T(()=>{v();oe();dt();De();ss();os();B();Nn();qe();We();Jo();Zh=8;ng=e=>(typeof e=="string"?e:re(e)).toLowerCase()});function Nd({approval:e,mayDecide:t,verdict:n,onVerdict:o,onSend:r,onDone:s,rejection:a}){let l=Ft(e,we()),c=l==="pending";return i`<article class="question" aria-labelledby="question-title">
    <header class="question-head">
      <div class="question-line">
        <${V} state=${l} />
        ${e.status==="pending"&&i`<${es} expires=${e.expires} />`}
        <span class="question-handle"><${Ue} id=${e.id} /></span>
      </div>
      <h2 id="question-title"><${m} text=${e.question||"Question without text"} /></h2>
      <p class="soft">
        Asked ${e.actor&&i`by <strong><${m} text=${e.actor} /></strong> `}<${L} at=${e.asked} />
        ${e.execution_id&&i` in <a href=${y(`/x/${e.execution_id}`)}><${m} text=${e.title||e.execution_id} /></a>`}
        ${e.step&&i`, for the step <a href=${y(`/x/${e.execution_id}`,{step:e.step})}><${m} text=${e.step_title||e.step} /></a>`}
      </p>
    </header>
    <div class="question-body">
      <div class="question-main">
        ${Qe(e)?i`<${Ad} approval=${e} />`:!e.unbound&&i`<p class="note">It asks in words only: an answer grants no call.</p>`}
        ${e.unbound&&i`<p class="warning-note"><${k} name="warning" /> This approval is not bound to an exact call. It grants <${m} text=${e.unbound} />.</p>`}
        ${e.options?.length&&!(c&&t)?i`<p class="soft">Suggested answers: ${e.options.map((d,u)=>i`${u?", ":""}<strong><${m} text=${d} /></strong>`)}</p>`:null}
        ${c?null:i`<${dg} approval=${e} status=${l} />`}
        <${ug} approval=${e} />
      </div>
      <${_d} approval=${e} />
    </div>
    <div class=${ne("dock",(c||n)&&"dock-pending")}>
      ${a&&i`<p class="warning-note" role="alert"><${k} name="warning" /> ${a}</p>`}
      ${(c||n)&&i`<${cg} over=${!c} approval=${e} mayDecide=${t} verdict=${n} onVerdict=${o} onSend=${r} onDone=${s} />`}
    </div>
  </article>`}function cg({approval:e,over:t,mayDecide:n,verdict:o,onVerdict:r,onSend:s,onDone:a}){let l=I(""),c=I(null),d=I(!1);return x(()=>{n&&d.current&&!o&&c.current?.querySelector(".verdicts")?.focus(),d.current=n===!1},[n]),o&&(l.current=o),Se()?i`<p class="note"><${k} name="import" /> This is an imported export: nothing can be decided in it.</p>`:!o&&(n===null||t)?null:i`<div class=${ne("answering",o&&"is-open")} ref=${c}>
    ${n&&Qe(e)&&i`<p class="dock-call" title="The call in short; above, all of it"><${m} text=${Go(e.tool||"",e.arguments)} /></p>`}
    ${o?i`<${Xc} key=${e.id+o} approval=${e} verdict=${o} decide=${lg} over=${t} may=${!!n} onSend=${s} onDone=${a} onCancel=${()=>r("")} />`:n&&i`<div class="answering-bar">
          <${Yc} approval=${e} onChoose=${r} last=${l.current} />
          <p class="soft answering-note">${e.expires?"After the time limit it expires: a timeout is never a yes.":"There is no time limit. Silence is never a yes."}</p>
        </div>`}
    ${n===!1&&!t&&i`${o&&i`<p class="note" role="status"><${k} name="save" /> What you typed is kept in this browser.</p>`}<${Je} />`}
  </div>`}function dg({approval:e,status:t}){return t==="expired"?i`<p class="note">
      <${k} name="late" /> It expired <${L} at=${e.expires??""} /> without an answer. A timeout is never a
      yes: nothing was granted, and the agent has to ask again.
    </p>`:t==="closed"?i`<p class="note"><${k} name="late" /> Its execution ended without an answer. Nothing was granted.</p>`:i`<${j} level=${3} title="Answer">
    <${Re} rows=${[["by",e.decided_by&&i`<${m} text=${e.decided_by} />`],["in",e.answered_in&&i`<${m} text=${e.answered_in} />`],["when",i`<${L} at=${e.decided??""} form="absolute" />`],["reason",e.reason&&i`<${m} text=${e.reason} />`],["answer",e.answer&&i`<${m} text=${e.answer} />`],["used by",e.used_by&&i`<a href=${y(`/x/${e.execution_id}`,{action:e.used_by})}><code>${e.used_by}</code></a>`],["used",!e.used_by&&(t==="approve"||t==="edit")?"not yet: valid for one call":""]]} />
    ${e.edited!==void 0&&e.edited!==null?i`<h4>Granted instead</h4>
          <${Be} before=${e.arguments??{}} after=${e.edited} titles=${["asked","granted"]} />`:null}
  <//>`}function ug({approval:e}){let[t,n]=h(!1);return x(()=>n(!1),[e.id]),i`<details class="evidence" open=${t} onToggle=${o=>n(o.target.open)}>
    <summary>Entries in the journal</summary>
    ${t&&i`<${pg} approval=${e} />`}
  </details>`}function pg({approval:e}){let{data:t}=D({by:[e.id,e.status],kinds:["approval_"]},n=>S("/v1/entries",{id:e.id,execution_id:e.execution_id,newest_first:!0,limit:10},{signal:n}));return t?i`<ul class="evidence-rows">
    ${t.entries.toReversed().map(n=>i`<li key=${n.seq}>
      <a href=${y(`/x/${e.execution_id}`,{tab:"journal",entry:n.seq})}>entry ${n.seq}</a>
      <span>${n.kind==="approval_requested"?"asked":"answered"} by <${m} text=${n.facts?.credential||n.actor} /></span>
      <${L} at=${n.at} form="absolute" />
      ${n.facts?.effect_key&&i`<span class="digest">digest <code>${n.facts.effect_key.slice(0,16)}…</code><${ye} text=${n.facts.effect_key} what="the digest" /></span>`}
    </li>`)}
  </ul>`:i`<p class="loading">Loading…</p>`}var lg,Ld=T(()=>{K();v();oe();Z();H();B();mt();wd();Id();Jo();rn();jn();ts();Yo();lg=Lo({get:S,post:Te})});function Rd({label:e,approvals:t,chosen:n,now:o,marked:r,onMark:s}){let a=I(null);return x(()=>a.current?.querySelector(".is-chosen")?.scrollIntoView({block:"nearest"}),[n]),i`<ul class="questions" ref=${a} aria-label=${e}>
    ${t.map(l=>{let c=Ft(l,o),d=l.id===n;return i`<li key=${l.id} class=${ne("question-row",d&&"is-chosen")}>
        ${r&&i`<label class="question-mark">
          <input type="checkbox" checked=${r.has(l.id)} disabled=${c!=="pending"} onChange=${()=>s?.(l.id)} />
          <span class="visually-hidden">Select “${xe(l.question||l.id)}”</span>
        </label>`}
        <a href=${y(`/approvals/${l.id}`,$g())} aria-current=${d?"true":null}>
          <span class="question-text"><${m} text=${l.question||l.id} /></span>
          <span class="question-about">
            ${l.tool?i`<code><${m} text=${l.tool} /></code>`:i`<span class="faint">a question</span>`}
            <span class="soft cut">${l.actor?i`<${m} text=${l.actor} />, `:null}<${L} at=${l.asked} /></span>
            <span class="question-state">
              ${c==="pending"?i`<${es} expires=${l.expires} />`:i`<${V} state=${c} quiet />`}
            </span>
          </span>
          ${l.decided&&i`<${fg} approval=${l} />`}
        </a>
      </li>`})}
  </ul>`}function fg({approval:e}){let t=e.answer||e.reason;return i`<span class="question-answered soft">
    <span class="question-verdict">${Dt(e.status)}</span> by <strong><${m} text=${e.decided_by||e.answered_in||"nobody known"} /></strong>, <${L} at=${e.decided} />${t&&i`: “<${m} text=${t} />”`}
  </span>`}function $g(){let e=new URLSearchParams(location.search);return{tab:e.get("tab"),status:e.get("status"),execution:e.get("execution")}}var Dd=T(()=>{v();H();or();qe();mt();We();on();ts()});var qd={};Ce(qd,{Page:()=>gg});function gg({id:e="",query:t}){let n=t.get("tab")==="history",o=t.get("status")||"",r=t.get("execution")||"",s={tab:n&&"history",status:o,execution:r},[a,l]=h(ti),c=D({by:[n,o,r,a],kinds:Pd},J=>yg({past:n,status:o,execution:r,limit:a},J)),d=D({by:[e],kinds:Pd},J=>e?S(`/v1/approvals/${encodeURIComponent(e)}`,{},{signal:J}):Promise.resolve(null)),u=Oe(),p=we(),[$,f]=h(()=>new Set),[g,b]=h(""),[C,A]=h(null),[_,M]=h({id:"",text:"",unreachable:!1});wo(()=>M(J=>J.unreachable?{...J,text:""}:J));let E=c.data?.name===jd({past:n,status:o,execution:r}),F=E&&c.data?c.data.approvals:[],G=wg(),O=d.data?.id===e?d.data:null,P=F[0]?.id??"",N=F.filter(J=>$.has(J.id)&&Ft(J,p)==="pending");ke(()=>b(O?.status==="pending"?Qc(O):""),[e,O?.id]);let W=I(""),Q=O?Ft(O,p):"";x(()=>{!O||!g||Q==="pending"||W.current===O.id||M({id:O.id,text:No({},{...O,status:Q}),unreachable:!1})},[Q]);let ee=I(!1),q=I({id:"",at:0});x(()=>{!e&&P&&(G||r&&F.length===1)&&(ee.current&&(q.current={id:P,at:performance.now()}),ce(y(`/approvals/${P}`,s),{replace:!0})),ee.current=E&&!P},[G,e,P,r,E]);let _e=J=>{let xt=F.findIndex(gn=>gn.id===e),_t=F[Math.max(0,Math.min(F.length-1,xt+J))];_t&&ce(y(`/approvals/${_t.id}`,s),{replace:!!e})},Xe=J=>f(xt=>{let _t=new Set(xt);return _t.delete(J)||_t.add(J),_t}),ve=J=>{J.ok&&(b(""),O&&Fs(un(O))),J.refused&&ut(),W.current=J.ok?J.id:"",M({id:J.id,text:J.problem,unreachable:!!J.unreachable}),J.ok&&$e(`${J.id}: ${Dt(J.status)}.`,"ok"),c.reload(),d.reload()},yt=O&&Q==="pending"&&u.may_decide&&!Se(),ot=J=>({label:`${bg[J]} it`,run:()=>{q.current.id===e&&performance.now()-q.current.at<mg?$e("This question has just arrived: read it first."):b(J)}});return fe("Approvals",{j:{label:"Next question",run:()=>_e(1)},k:{label:"Previous question",run:()=>_e(-1)},a:yt&&Wr(O,"approve")&&ot("approve"),e:yt&&Qe(O)&&ot("edit"),r:yt&&ot("reject"),m:yt&&ot("respond"),x:!n&&!Se()&&O&&{label:"Select it for one answer to several",run:()=>Xe(O.id)},Escape:{label:"Cancel the answer, or go back to the list",run:()=>g?b(""):e&&ce(y("/approvals",{...s,status:""}))}}),i`<div class=${`approvals ${e?"has-chosen":""}`}>
    <section class="approvals-list" aria-label="Questions">
      <header class="page-head">
        <h1>Approvals</h1>
        <${dd} />
      </header>
      <${Ln} label="Which questions" value=${n?"history":"pending"} href=${J=>y("/approvals",{tab:J==="history"&&J})}
        tabs=${[{id:"pending",title:"Pending",count:n?0:F.length,tone:"waiting"},{id:"history",title:"History"}]} />
      ${r&&i`<p class="soft approvals-of">Of <a href=${y(`/x/${r}`)}><${m} text=${F[0]?.title||r} /></a>. <a href=${y("/approvals",{tab:n&&"history"})}>All questions</a></p>`}
      ${n&&i`<${xg} status=${o} />`}
      ${!n&&u.version&&!u.may_decide&&$.size?i`<${Je} />`:null}
      ${N.length>0&&u.may_decide&&i`<${bd} approvals=${N} onVerdict=${J=>A({verdict:J,approvals:N})} onClear=${()=>f(new Set)} />`}
      <${R} problem=${c.problem} retry=${c.reload} />
      ${E&&c.data?F.length?i`<${Rd} label=${n?"Answered questions":"Pending questions, the soonest to expire first"}
              approvals=${F} chosen=${e} now=${p} marked=${n||Se()?void 0:$} onMark=${Xe} />
              ${c.data.more&&i`<${w} onClick=${()=>l(a+ti)}>Show older<//>`}`:i`<${_g} past=${n} />`:!c.problem&&i`<${U} />`}
    </section>
    <section class="approvals-one" aria-label="Question">
      ${e&&i`<a class="back" href=${y("/approvals",s)}>All questions</a>`}
      ${e&&i`<${R} problem=${d.problem} retry=${d.reload} />`}
      ${O?i`<${Nd} key=${O.id} approval=${O} mayDecide=${u.version?u.may_decide:null} verdict=${g} onVerdict=${b}
            onSend=${()=>W.current=O.id} onDone=${ve} rejection=${_.id===O.id?_.text:""} />`:null}
    </section>
    ${C&&i`<${yd} ...${C} onClose=${()=>(A(null),f(new Set),c.reload(),d.reload())} />`}
  </div>`}async function yg({past:e,status:t,execution:n,limit:o},r){let s=[],a="";do{let l=await S("/v1/approvals",{status:e?t:"pending",execution_id:n,limit:ti,cursor:a},{signal:r});s.push(...l.approvals.filter(c=>!e||c.status!=="pending")),a=l.next_cursor||""}while(a&&s.length<o);return{name:jd({past:e,status:t,execution:n}),approvals:e?s:Zc(s),more:!!a}}function xg({status:e}){return i`<nav class="chips" aria-label="Answered how">
    ${hg.map(([t,n])=>i`<a class="chip" href=${y("/approvals",{tab:"history",status:t})} aria-current=${t===e?"true":null}>${n}</a>`)}
  </nav>`}function _g({past:e}){return e?i`<${z} icon="approvals" title="No answered questions yet." />`:i`<${z} icon="approvals" title="No questions are waiting.">
    <p>When an agent asks (<code>request_approval</code>, <code>ask_human</code>, or a gateway’s policy), the question appears here at
    once, with the exact call and its time limit. Nothing is granted before you answer.</p>
  <//>`}function wg(){let e="(min-width: 900px)",[t,n]=h(()=>matchMedia(e).matches);return x(()=>{let o=matchMedia(e),r=()=>n(o.matches);return o.addEventListener("change",r),()=>o.removeEventListener("change",r)},[]),t}var ti,mg,Pd,hg,bg,jd,Bd=T(()=>{on();xd();Qo();rn();ts();Yr();Ld();Dd();Yo();K();Kt();v();Ae();Z();H();ze();B();mt();ti=100,mg=2e3,Pd=["approval_","action_begun","body_erased"],hg=[["","All"],["approve","Accepted"],["edit","With changes"],["reject","Rejected"],["respond","Answered"],["used","Used"],["expired","Expired"],["closed","Closed"]];bg={approve:"Accept",edit:"Edit",reject:"Reject",respond:"Respond to"};jd=({past:e,status:t,execution:n})=>[e,t,n].join("/")});function Fd(e,t){let n=I({by:t,rows:[],cursor:""}),[,o]=h(0),r=I(!1),a=D({by:[t]},async u=>{let p=n.current.by===t?Math.min(Math.max(n.current.rows.length,rs),vg):rs,$=[],f="";do{let g=await S("/v1/executions",{...e,limit:rs,cursor:f},{signal:u});$=$.concat(g.executions),f=g.next_cursor||""}while(f&&$.length<p);return n.current=n.current.by===t?kg(n.current,$,f):{by:t,rows:$,cursor:f},n.current.by=t,n.current}),l=be(async()=>{let{rows:u,cursor:p}=n.current;if(!(!p||r.current)){r.current=!0;try{let $=await S("/v1/executions",{...e,limit:rs,cursor:p});if(n.current.rows!==u)return;n.current={by:t,rows:u.concat($.executions),cursor:$.next_cursor||""},o(f=>f+1)}finally{r.current=!1}}},[t]),{rows:c,cursor:d}=n.current.by===t?n.current:{rows:[],cursor:""};return{...a,rows:c,all:!d,more:l}}function kg(e,t,n){let o=t.length?e.rows.findIndex(r=>r.id===t[t.length-1].id):-1;return!n||o<0||o===e.rows.length-1?{by:e.by,rows:t,cursor:n}:{by:e.by,rows:t.concat(e.rows.slice(o+1)),cursor:e.cursor}}var rs,vg,zd=T(()=>{K();v();Z();rs=100,vg=300});function Sg(){try{let e=JSON.parse(localStorage.getItem(Hd)||"[]");return Array.isArray(e)?e:[]}catch{return[]}}function Ud(){let[e,t]=h(Sg),[n,o]=h(""),r=Qi().query.toString(),s=c=>{localStorage.setItem(Hd,JSON.stringify(c)),t(c)},a=c=>{c.preventDefault(),n.trim()&&(s([...e.filter(d=>d.name!==n.trim()),{name:n.trim(),query:r}]),o(""))},l=e.find(c=>c.query===r);return i`<${rt} label="Saved views" icon="save" word=${l?l.name:"Views"} end>
    <div class="views">
      ${e.length?null:i`<p class="soft">A view is a filter with a name.</p>`}
      <ul>
        ${e.map(c=>i`<li key=${c.name}>
            <button type="button" class="menu-item" data-close onClick=${()=>ce(`/executions?${c.query}`)}>${c.name}</button>
            <${w} kind="ghost" icon="close" label=${`Forget ${c.name}`} onClick=${()=>s(e.filter(d=>d!==c))} />
          </li>`)}
      </ul>
      <form onSubmit=${a}>
        <input aria-label="Name of this view" placeholder="Name of this view" value=${n} onInput=${c=>o(c.target.value)} />
        <${w} type="submit" kind="primary">Save</${w}>
      </form>
    </div>
  </${rt}>`}var Hd,Wd=T(()=>{v();H();B();Hd="tallystick.views"});var Vd={};Ce(Vd,{Page:()=>Mg});function Mg({query:e}){let t=e.get("q")||"",n=e.get("group")||"",o=le(()=>Mc(t),[t]),r=Fd(Ic(o),`${t} ${e.get("journal")||""}`),s=Oc(o),[a,l]=h(0);return!o.length&&r.data&&!r.rows.length?i`<${Uo} />`:i`<div class="page page-list">
    <div class="page-head">
      <h1>Executions</h1>
      <div class="page-head-end">
        <${ie} label="Group by" value=${n} choices=${[["","Flat"],["task","By task"],["agent","By agent"]]} onChange=${d=>X({group:d})} />
        <${Ud} />
      </div>
    </div>
    <${Cg} text=${t} terms=${o} onEnter=${()=>l(a+1)} />
    <${R} problem=${s||r.problem} retry=${s?void 0:r.reload} />
    ${r.data&&!s?i`<${Ag} live=${r} group=${n} filtered=${o.length>0} entered=${a} />`:!r.problem&&i`<${U} what="Loading executions" />`}
  </div>`}function Cg({text:e,terms:t,onEnter:n}){let o=r=>X({q:r.trim()},{replace:!0});return i`<div class="exec-filters">
    <${Ke} label="Filter executions" value=${e} onChange=${o} onEnter=${n} placeholder="status:failed agent:codex since:2d words">
      <kbd class="kbd">f</kbd>
    </${Ke}>
    <div class="exec-chips" role="group" aria-label="Quick filters">
      ${Kd.map(([r,s,a])=>{let l=t.some(c=>c.field===r&&c.value===s);return i`<${w} class="exec-chip" pressed=${l} onClick=${()=>o(Jn(Nc(t,{field:r,value:s})))}>${a}</${w}>`})}
      ${t.filter(r=>!Kd.some(([s,a])=>s===r.field&&a===r.value)).map(r=>i`<${w} class="exec-chip exec-chip-term" icon="close" aria-label=${`Remove ${Jn([r])}`} onClick=${()=>o(Jn(t.filter(s=>s!==r)))}>${Jn([r])}</${w}>`)}
      ${t.length>0&&i`<${w} kind="ghost" class="exec-chip" onClick=${()=>o("")}>Clear</${w}>`}
    </div>
    <details class="hints">
      <summary><${k} name="filter" />Filters</summary>
      <dl>${Tc.map(([r,s])=>i`<div><dt><code>${r}</code></dt><dd>${s}</dd></div>`)}</dl>
      <p class="soft">Words find executions with entries that contain them; <code>word*</code> finds prefixes.</p>
    </details>
  </div>`}function Ag({live:e,group:t,filtered:n,entered:o}){let[r,s]=h(-1),a=me("density"),l=Ig(),c=le(()=>Og(e.rows,t,e.all),[e.rows,t,e.all]),d=Eg[l?"phone":a==="comfortable"?"comfortable":"compact"],u=p=>{let $=r+p;for(;c[$]?.group!==void 0;)$+=p;c[$]&&s($)};return fe("Executions",{j:{label:"next execution",run:()=>u(1)},k:{label:"previous execution",run:()=>u(-1)},Enter:{label:"open it",run:()=>c[r]?.id&&ce(`/x/${c[r].id}`)}}),x(()=>{if(!o||e.loading||document.activeElement?.hasAttribute("data-search"))return;let p=c.findIndex($=>$.group===void 0);s(-1),setTimeout(()=>s(p))},[o,e.loading]),x(()=>{if(r<0)return;document.querySelector(`[data-index="${r}"] .exec-link`)?.focus({preventScroll:!0})},[r]),c.length?i`<div class="exec-list panel">
    <p class="visually-hidden" role="status">${e.rows.length}${e.all?"":" or more"} ${e.rows.length===1&&e.all?"execution":"executions"}${n?" match":""}</p>
    <${Rt}
      label="Executions"
      rows=${c}
      height=${d}
      selected=${r}
      head=${Tg}
      onNear=${e.more}
      row=${(p,$)=>p.group!==void 0?i`<${Lc} key=${`group ${p.group}`} ...${p} />`:i`<${cn} key=${p.id} row=${p} index=${$} selected=${$===r} onFocus=${()=>s($)} />`}
    />
  </div>`:i`<${z} icon="search" title="No matching executions."><a href=${y("/executions",{})}>Show all</a></${z}>`}function Og(e,t,n){if(t!=="task"&&t!=="agent")return e;let o=new Map;for(let r of e){let s=(t==="task"?r.task_id:r.actor)||"";o.set(s,[...o.get(s)||[],r])}return[...o].flatMap(([r,s])=>[{group:r,count:s.length,by:t,more:!n},...s])}function Ig(){let[e,t]=h(is.matches);return x(()=>{let n=()=>t(is.matches);return is.addEventListener("change",n),()=>is.removeEventListener("change",n)},[]),e}var Kd,Eg,Tg,is,Gd=T(()=>{Br();Ko();zd();jr();Wd();v();oe();Ae();H();Ve();B();Kd=[["status","open","Open"],["only","waiting","Waiting for a person"],["only","in_doubt","In doubt"],["only","interrupted","Interrupted"],["only","owed","Owed"],["status","failed","Failed"]],Eg={compact:48,comfortable:60,phone:104},Tg=i`<div class="exec exec-head" aria-hidden="true">
  <span>state</span><span>execution</span><span>plan</span><span></span><span class="exec-last">last entry</span>
</div>`,is=matchMedia("(max-width: 720px)")});var Qd={};Ce(Qd,{Page:()=>Lg});function Lg(){let{data:e,problem:t,reload:n}=D({by:[te()]},a=>S("/v1/alerts",{limit:100},{signal:a})),[o,r]=h(null),s=e?.alerts??[];return x(()=>{let a=setInterval(n,Ng);return()=>clearInterval(a)},[]),i`<div class="page">
    <div class="page-head"><h1>Alerts</h1><p class="soft">What somebody should look at now. <code>tallystick serve --alert URL</code> sends these to chat or mail.</p></div>
    <${R} problem=${t} retry=${n} />
    ${e?s.length?i`<${j} flush><${Rg} alerts=${s} onSilence=${r} /><//>
            ${e.more?.length?i`<p class="soft">There are more of: ${e.more.map(a=>Yd[a]).join(", ")}.</p>`:null}`:i`<${j}><${z} icon="check" title="Nothing needs you." /><//>`:!t&&i`<${U} />`}
    ${o&&i`<${Dg} alert=${o} onClose=${()=>r(null)} onDone=${()=>(r(null),n())} />`}
  </div>`}function Jd(e){return e.rule==="question_waits"?y(`/approvals/${e.about}`):e.execution_id?y(`/x/${e.execution_id}`):""}function Rg({alerts:e,onSilence:t}){return i`<ul class="alerts" aria-label="Alerts">
    ${e.map(n=>i`<li key=${`${n.rule}/${n.about}`}>
      <div>
        <p><strong>${Yd[n.rule]}</strong> · <span class="soft">since <${L} at=${n.since} />${n.who?i`, <${m} text=${n.who} />`:null}</span></p>
        <p>${Jd(n)?i`<a href=${Jd(n)}><${m} text=${n.text} /></a>`:i`<${m} text=${n.text} />`}</p>
        <p class="soft"><${m} text=${[n.title,n.to_do].filter(Boolean).join(" · ")} /></p>
      </div>
      ${n.silenced?i`<span class="soft">silenced until <${L} at=${n.silenced} /></span>`:i`<${w} onClick=${()=>t(n)}>Silence<//>`}
    </li>`)}
  </ul>`}function Dg({alert:e,onClose:t,onDone:n}){let o=Oe(),[r,s]=h(""),[a,l]=h(null),c=async d=>{d.preventDefault(),await Te("/v1/alerts/silences",{rule:e.rule,about:e.about,until:as,why:r}).then(()=>($e(`Silenced for ${as}.`,"ok"),n()),l)};return i`<${et} title="Silence this alert" onClose=${t}>
    <p><${m} text=${e.text} /></p>
    ${o?.may_decide?i`<form onSubmit=${c}>
          <label class="field"><span>Why no messages for ${as}</span>
            <input value=${r} required onInput=${d=>s(d.target.value)} /></label>
          <${R} problem=${a} />
          <${w} kind="primary" type="submit" disabled=${!r.trim()}>Silence for ${as}<//>
        </form>`:i`<${Je} />`}
  <//>`}var Yd,as,Ng,Xd=T(()=>{K();rn();v();Z();H();ze();B();Yd={question_waits:"A question waits",in_doubt:"In doubt",interrupted:"Interrupted",run_held:"A run is held",run_failed:"A run failed",undo_expires:"An undo expires",hook_silent:"Hooks are silent",tool_failing:"A tool fails more than usual",step_slow:"A step takes long",verify_failed:"Verification failed"},as="8h",Ng=3e4});function Zd({onDone:e}){let[t,n]=h({}),[o,r]=h(!1),[s,a]=h(null),[l,c]=h(null);if(l)return i`<${ni} made=${l} onDone=${e} />`;let d=(p,$,f,g={})=>i`
    <label class="field" key=${p}><span>${$} ${f&&i`<span class="faint">${f}</span>`}</span>
      <input value=${t[p]||""} aria-invalid=${s?.field===p?"true":null} spellcheck="false" autocomplete="off" ...${g}
        onInput=${b=>n({...t,[p]:b.target.value})} /></label>`;return i`<form class="webhook-form" onSubmit=${async p=>{p.preventDefault();let $=Object.entries(t).map(([b,C])=>[b,C.trim()]).filter(([,b])=>b),{kinds:f,...g}=Object.fromEntries($);f&&(g.kinds=f.split(/[,\s]+/).filter(Boolean)),o&&(g.needs_person=!0),await Te("/v1/webhooks",g).then(c,a)}}>
    ${d("name","Name","small letters, digits, dots and dashes",{required:!0})}
    ${d("address","Address","https://…",{required:!0,type:"url"})}
    <label class="check"><input type="checkbox" checked=${o} onChange=${p=>r(p.target.checked)} /> Only what a person has to act on</label>
    <details><summary>Only some entries</summary>${Pg.map(([p,$,f])=>d(p,$,f))}</details>
    <${R} problem=${s} />
    <${w} kind="primary" type="submit">Add it<//>
  </form>`}function ni({made:e,onDone:t}){return i`<div class="webhook-form">
    <p>Messages are signed with this secret. It is shown this once: give it to the receiver now.</p>
    <p class="command"><code>${e.secret}</code><${ye} text=${e.secret||""} what="the secret" /></p>
    ${(e.notes||[]).map(n=>i`<p class="warning-note"><${m} text=${n} /></p>`)}
    <${w} kind="primary" onClick=${t}>Done<//>
  </div>`}var Pg,oi=T(()=>{K();v();B();Pg=[["kinds","Kinds of entry","such as approval_requested, with commas"],["execution_id","Execution","ex_…"],["task_id","Task",""],["tool","Tool",""],["actor","Actor","an agent or a person"]]});function pn({path:e,body:t,button:n,kind:o="primary",done:r,children:s}){let[a,l]=h(null),[c,d]=h(!1);return i`<form class="webhook-form" onSubmit=${async p=>{p.preventDefault(),d(!0),await Te(e,t||{}).then(r,l),d(!1)}}>
    ${s}
    <${R} problem=${a} />
    <${w} kind=${o} type="submit" disabled=${c}>${n}<//>
  </form>`}function jg({webhook:e,onDone:t}){let n=()=>($e("The test is recorded, and is being delivered.","ok"),t());return i`<${pn} path=${zt(e,"test")} button="Send a test" done=${n}>
    <p>An entry is recorded that is delivered to this webhook alone, as <code>webhook.test</code>.</p>
  <//>`}function qg({webhook:e,onDone:t}){return i`<${pn} path=${zt(e,"replay")} button="Try now" done=${()=>($e("It tries at once.","ok"),t())}>
    <p>What waits is tried at once. A webhook that was paused or disabled goes on.</p>
  <//>`}function Bg({webhook:e,onDone:t}){let[n,o]=h("");return i`<${pn} path=${zt(e,"replay")} body=${{since:Number(n)}} button="Deliver again" done=${()=>($e("They are delivered again.","ok"),t())}>
    <p>What fits this webhook is delivered again, with the same ids: a receiver that keeps them handles nothing twice.</p>
    <label class="field"><span>From this entry on</span>
      <input type="number" min="1" required value=${n} onInput=${r=>o(r.target.value)} /></label>
  <//>`}function Fg({webhook:e,onDone:t}){let{data:n,problem:o}=D({kinds:["webhook_"],by:[te(),e.name]},r=>S(zt(e,"dead"),{limit:100},{signal:r}));return i`<${R} problem=${o} />
    ${n?i`<ul class="dead-deliveries">${n.deliveries.map(r=>i`<li key=${r.seq}>
          <p>Entry ${r.seq}${r.execution_id&&i` of <a href=${y(`/x/${r.execution_id}`)}><code>${r.execution_id}</code></a>`}, after ${r.attempts} attempts, <${L} at=${r.at} /></p>
          <p class="soft"><${m} text=${r.error} /></p></li>`)}</ul>`:!o&&i`<${U} />`}
    ${n?.next_cursor&&i`<p class="soft">The first 100 of ${e.dead}.</p>`}
    <${pn} path=${zt(e,"replay")} body=${{dead:!0}} button="Deliver them again" done=${()=>($e("They are delivered again.","ok"),t())} />`}function zg({webhook:e,onDone:t}){let[n,o]=h(null);return n?i`<${ni} made=${n} onDone=${t} />`:i`<${pn} path=${zt(e,"rotation")} button="Make a new secret" done=${o}>
    <p>For a day each message has both signatures, so that the receiver can change over.</p>
  <//>`}function Hg({webhook:e,onDone:t}){return i`<${pn} path=${zt(e,"removal")} button="Remove it" kind="danger" done=${()=>($e("It is removed.","ok"),t())}>
    <p>Its address is told nothing more. Its secret, what waits and what was given up are forgotten. To set it up again, add it anew.</p>
  <//>`}var ls,zt,si=T(()=>{K();v();Z();H();B();oi();ls={test:{label:"Test",title:"Test",suits:e=>e.state!=="disabled",form:jg},retry:{label:"Try now",title:"Try at once:",suits:e=>e.state!=="active"||!!e.waiting,form:qg},dead:{label:"Given up",title:"Given up:",suits:e=>!!e.dead,form:Fg},replay:{label:"Replay",title:"Replay",suits:()=>!0,form:Bg},rotate:{label:"New secret",title:"New secret for",suits:()=>!0,form:zg},remove:{label:"Remove",title:"Remove",suits:()=>!0,form:Hg}};zt=(e,t)=>`/v1/webhooks/${encodeURIComponent(e.name)}/${t}`});function eu({webhooks:e,onChoose:t}){return i`<ul class="webhooks" aria-label="Webhooks">
    ${e.map(n=>i`<li key=${n.name}>
      <div>
        <p><strong><${m} text=${n.name} /></strong> <${V} state=${n.state} /> · <code><${m} text=${n.host} /></code></p>
        <p class="soft">Hears of <${Ug} webhook=${n} />.</p>
        <p class="soft"><${Wg} webhook=${n} /></p>
        ${n.last_error&&i`<p class="webhook-error">Last error: <${m} text=${n.last_error} />${n.last_error_at&&i`, <${L} at=${n.last_error_at} />`}</p>`}
      </div>
      <div class="webhook-actions">
        ${Object.entries(ls).map(([o,{label:r,suits:s}])=>s(n)&&i`<${w} onClick=${()=>t(o,n)} aria-label=${`${r} ${n.name}`}>${r}<//>`)}
      </div>
    </li>`)}
  </ul>`}function Ug({webhook:e}){let{kinds:t=[],execution_id:n,task_id:o,tool:r,actor:s}=e,a=[e.needs_person&&"what a person has to act on",t.length>0&&i`entries of ${t.length>1?"the kinds":"the kind"} <code>${t.join(", ")}</code>`,n&&i`execution <a href=${y(`/x/${n}`)}><code>${n}</code></a>`,o&&i`task <${m} text=${o} />`,r&&i`calls of <code><${m} text=${r} /></code>`,s&&i`what <${m} text=${s} /> recorded`].filter(Boolean);return a.length?i`${a.map((l,c)=>i`${c>0&&" and "}${l}`)}`:i`every entry`}function Wg({webhook:e}){let{delivered:t=0,behind:n=0,waiting:o=0,dead:r=0}=e,s=[`${t} delivered`,n>0&&`${n} ${n===1?"entry":"entries"} behind`,o>0&&`${o} waiting`,r>0&&`${r} given up`,!e.delivering&&"no process delivers now"].filter(Boolean);return i`${s.join(", ")}${e.last_success&&i`, the last one <${L} at=${e.last_success} />`}${e.next_attempt&&i`, next attempt at <${L} at=${e.next_attempt} form="absolute" />`}`}var tu=T(()=>{v();H();B();si()});var nu={};Ce(nu,{Page:()=>Vg});function Vg(){let{data:e,problem:t,reload:n}=D({kinds:["webhook_"],by:[te()]},c=>S("/v1/webhooks",{limit:100},{signal:c})),o=t?.status===403,[r,s]=h(null);x(()=>{if(o)return;let c=setInterval(n,Kg);return()=>clearInterval(c)},[o]);let a=()=>(s(null),n()),l=(c,d)=>s({action:c,webhook:d});return i`<div class="page">
    <div class="page-head"><h1>Webhooks</h1>
      <p class="soft">Addresses that are told of new entries. <code>tallystick serve</code> or <code>tallystick notify</code> delivers.</p></div>
    ${o?i`<${j}><p>Webhooks are shown to admins only.</p><${Je} scope="admin" onDone=${n} /><//>`:i`<${R} problem=${t} retry=${n} />`}
    ${e&&i`<p><${w} kind="primary" onClick=${()=>s({action:"add"})}>Add a webhook<//></p>`}
    ${e?e.webhooks.length?i`<${j} flush><${eu} webhooks=${e.webhooks} onChoose=${l} /><//>`:i`<${j}><${z} icon="check" title="No webhooks.">Add one: its address hears of each new entry, or of those that you choose.<//><//>`:!t&&i`<${U} />`}
    ${r&&i`<${Gg} ...${r} onClose=${a} />`}
  </div>`}function Gg({action:e,webhook:t,onClose:n}){let o=Oe(),r=ls[e],s=t?`${r.title} ${t.name}`:"Add a webhook",a=r?.form||Zd;return i`<${et} title=${s} onClose=${n}>
    ${o.scopes.includes("admin")?i`<${a} webhook=${t} onDone=${n} />`:i`<${Je} scope="admin" />`}
  <//>`}var Kg,ou=T(()=>{K();rn();v();Z();H();ze();B();oi();si();tu();Kg=5e3});function Yg(e){let[t,...n]=e.split(":"),o=n.join(":");return{scope:t,...t==="task"&&{task_id:o},...t==="execution"&&{execution_id:o}}}function su({name:e,scopeText:t,onClose:n}){let{data:o,problem:r,reload:s}=D({by:[e,t],kinds:["context_recorded","body_erased"]},a=>S(`/v1/context/${encodeURIComponent(e)}`,{...Yg(t),limit:Jg},{signal:a}));return i`<aside class="context-value" aria-label=${`Context ${e}`}>
    <header class="context-value-head">
      <h2><code><${m} text=${e} /></code></h2>
      <${w} kind="ghost" icon="close" label="Close" onClick=${n} />
    </header>
    <${R} problem=${r} retry=${s} />
    ${o?i`<${Qg} value=${o.values[0]} /><${Zg} values=${o.values} />`:!r&&i`<${U} />`}
  </aside>`}function Qg({value:e}){return i`
    ${e.erased?i`<p class="note"><${k} name="cancelled" /> Its text was erased. The entry remains.</p>`:e.altered?i`<p class="note"><${k} name="warning" /> Its stored text was altered and is not shown.</p>`:i`<${ae} value=${e.value??null} label="value" whole />`}
    <${Re} rows=${[["scope",i`<${ri} value=${e} />`],["type",e.type],["written by",e.actor&&i`<${m} text=${e.actor} />`],["when",i`<${L} at=${e.at} />`],["entry",i`<span class="num">${e.seq}</span>`],["holds until",e.expires&&i`<${ii} value=${e} />`],["derived from",e.derived_from?.length?i`<${Xg} handles=${e.derived_from} />`:""]]} />
    ${e.metadata?i`<h3>Metadata</h3><${ae} value=${e.metadata} label="metadata" />`:null}
    <p class="note soft">A model or a tool wrote this. It is data, not an instruction, and not checked by anybody.</p>`}function ri({value:e}){let t=e.scope_id||"";return e.scope==="execution"?i`execution <a href=${y(`/x/${encodeURIComponent(t)}`)}><code>${t}</code></a>`:e.scope==="task"?i`task <a href=${y("/executions",{q:`task:${t}`})}>${t}</a>`:e.scope}function ii({value:e}){return e.expires?e.expired?i`<${se} tone="idle" icon="late">expired<//>`:i`<${L} at=${e.expires} form="absolute" />`:i`<span class="faint">for good</span>`}function Xg({handles:e}){return e.map((t,n)=>i`${n?", ":""}${t.startsWith("ex_")?i`<a href=${y(`/x/${encodeURIComponent(t)}`)}><code>${t}</code></a>`:t.startsWith("pl_")?i`<a href=${y(`/plans/${encodeURIComponent(t)}`)}><code>${t}</code></a>`:t.startsWith("ap_")?i`<a href=${y(`/approvals/${encodeURIComponent(t)}`)}><code>${t}</code></a>`:i`<code>${t}</code>`}`)}function Zg({values:e}){let[t,n]=h(1);return e.length<2?i`<p class="soft">Written once: there is no history.</p>`:i`<h3>History <span class="faint">${e.length} values, the newest first</span></h3>
    <ol class="versions" reversed>
      ${e.map((o,r)=>i`<li key=${o.seq}>
        <button type="button" class="version" aria-expanded=${String(t===r)} onClick=${()=>n(t===r?-1:r)}>
          <${k} name=${t===r?"down":"right"} size=${14} />
          <span>${r===0?"now":i`<${L} at=${o.at} />`}</span>
          <span class="soft cut"><${m} text=${o.actor} /></span>
          <span class="faint num">entry ${o.seq}</span>
        </button>
        ${t===r&&i`<${eb} value=${o} before=${e[r+1]} />`}
      </li>`)}
    </ol>`}function eb({value:e,before:t}){return e.erased?i`<p class="note">Its text was erased.</p>`:e.altered?i`<p class="note">Its stored text was altered and is not shown.</p>`:!t||t.erased||t.altered?i`<${ae} value=${e.value??null} label="value" />`:i`<${Be} before=${t.value} after=${e.value} titles=${["before","after"]} />`}var Jg,fn,ru=T(()=>{K();v();oe();Z();H();B();Jg=100,fn=e=>e.scope_id?`${e.scope}:${e.scope_id}`:e.scope});var iu={};Ce(iu,{Page:()=>ob});function ob({query:e}){let[t,n,o,r]=["text","scope","type","expired"].map(b=>e.get(b)||""),[s,a]=[e.get("key")||"",e.get("at")||"project"],[l,c]=h(1),d=D({by:[t,n,o,r,l],kinds:["context_recorded","body_erased"]},b=>sb({text:t,scope:n,type:o,include_expired:!!r},l,b)),u=d.data?.values??[],p=u.findIndex(b=>b.key===s&&fn(b)===a),$=b=>b&&X({key:b.key,at:fn(b)},{replace:!!s}),f=()=>X({key:"",at:""});fe("Context",{j:{label:"next key",run:()=>$(u[Math.min(p+1,u.length-1)])},k:{label:"previous key",run:()=>$(u[Math.max(p-1,0)])},Escape:!!s&&{label:"close it",run:f}});let g=!!(t||n||o||r);return i`<div class=${`page context ${s?"has-detail":""}`}>
    <div class="page-head"><h1>Context</h1><p class="soft">Values that agents keep across sessions. The newest value of a key counts; the history stays.</p></div>
    <div class="filters">
      <${Ke} label="Search keys and values" placeholder="Search keys and values" value=${t} onChange=${b=>X({text:b},{replace:!0})} />
      <${ie} label="Scope" value=${n} choices=${nb} onChange=${b=>X({scope:b})} />
      ${o&&i`<${w} icon="close" onClick=${()=>X({type:""})}>type ${o}<//>`}
      <label class="check"><input type="checkbox" checked=${!!r} onChange=${b=>X({expired:b.target.checked?"1":""})} /> show expired</label>
    </div>
    <${R} problem=${d.problem} retry=${d.reload} />
    <div class="beside">
      ${d.data?u.length?i`<${j} flush><${rb} values=${u} chosen=${p} onOpen=${$} />
              ${d.data.more&&i`<div class="more-row"><${w} onClick=${()=>c(l+1)}>Show more<//></div>`}<//>`:i`<${j}><${ab} filtered=${g} /><//>`:!d.problem&&i`<${U} />`}
      ${s&&i`<${su} key=${s+a} name=${s} scopeText=${a} onClose=${f} />`}
    </div>
  </div>`}async function sb(e,t,n){let o=[],r="";for(let s=0;s<t;s+=1){let a=await S("/v1/context",{...e,limit:tb,cursor:r},{signal:n});if(o.push(...a.values),r=a.next_cursor||"",!r)break}return{values:o,more:!!r}}function rb({values:e,chosen:t,onOpen:n}){let o=r=>y(location.pathname+location.search,{key:r.key,at:fn(r)});return i`<${It} label="Context" rows=${e} id=${r=>`${fn(r)} ${r.key}`}
    selected=${e[t]?`${fn(e[t])} ${e[t].key}`:""} onSelect=${n}
    columns=${[{title:"key",class:"col-key",cell:r=>i`<a href=${o(r)}><code><${m} text=${r.key} /></code></a>`},{title:"value",class:"col-value",cell:r=>i`<span class="preview"><${m} text=${ib(r)} /></span>`},{title:"type",class:"col-type",cell:r=>r.type?i`<a class="chip" href=${y("/context",{type:r.type})}>${r.type}</a>`:i`<span class="faint">–</span>`},{title:"scope",class:"col-wide",cell:r=>i`<${ri} value=${r} />`},{title:"by",class:"col-wide",cell:r=>r.actor},{title:"written",cell:r=>i`<span class="soft"><${L} at=${r.at} /></span>`},{title:"until",class:"col-wide",cell:r=>i`<span class="soft"><${ii} value=${r} /></span>`},{title:"values",class:"right col-wide",cell:r=>(r.versions??1)>1?i`<${se} title="number of values over time">${r.versions}<//>`:i`<span class="faint">1</span>`}]} />`}function ib(e){if(e.erased||e.altered)return e.erased?"erased":"altered";let t=typeof e.value=="string"?e.value:re(e.value??null);return t.length>160?`${t.slice(0,160)}…`:t}function ab({filtered:e}){return e?i`<${z} icon="search" title="No matches."><p><a href=${y("/context")}>Show everything</a></p><//>`:i`<${z} icon="context" title="No context values yet.">
    <p>An agent stores a value for the next session with <code>record_context</code>, a person
    with <code>tallystick record context KEY --value TEXT</code>.</p><//>`}var tb,nb,au=T(()=>{K();ru();v();De();Ae();Z();H();B();tb=100,nb=[["","all"],["project","project"],["task","task"],["execution","execution"]]});var lu={};Ce(lu,{Page:()=>cb});function cb({query:e}){let[t,n,o]=["text","status","task_id"].map($=>e.get($)||""),[r,s]=h(ai),[a,l]=h(-1),{data:c,problem:d,reload:u}=D({by:[t,n,o,r],kinds:["plan_"]},$=>db({text:t,status:n,task_id:o},r,$)),p=c?.plans??[];return fe("Plans",{j:{label:"next plan",run:()=>l(Math.min(a+1,p.length-1))},k:{label:"previous plan",run:()=>l(Math.max(a-1,0))},Enter:p[a]&&{label:"open it",run:()=>ce(y(`/plans/${p[a].id}`))}}),i`<div class="page">
    <div class="page-head"><h1>Plans</h1><p class="soft">Planned steps, and whether and how each can be undone.</p></div>
    <div class="filters">
      <${Ke} label="Search plans" placeholder="Search titles, goals and steps" value=${t} onChange=${$=>X({text:$},{replace:!0})} />
      <${ie} label="Status" value=${n} choices=${lb} onChange=${$=>X({status:$})} />
      ${o&&i`<${w} icon="close" onClick=${()=>X({task_id:""})}>task ${o}<//>`}
    </div>
    <${R} problem=${d} retry=${u} />
    ${c?p.length?i`<${j} flush><${ub} plans=${p} chosen=${p[a]?.id??""} />
            ${c.more&&i`<div class="more-row"><${w} onClick=${()=>s(r+ai)}>Show more<//></div>`}<//>`:i`<${j}><${pb} filtered=${!!(t||n||o)} /><//>`:!d&&i`<${U} />`}
  </div>`}async function db(e,t,n){let o=[],r="";do{let s=await S("/v1/plans",{...e,limit:ai,cursor:r},{signal:n});o.push(...s.plans),r=s.next_cursor||""}while(r&&o.length<t);return{plans:o,more:!!r}}function ub({plans:e,chosen:t}){return i`<${It} label="Plans" rows=${e} id=${n=>n.id} selected=${t}
    onSelect=${n=>ce(y(`/plans/${n.id}`))}
    columns=${[{title:"status",cell:n=>i`<${V} state=${n.status} quiet />`},{title:"plan",class:"col-title",cell:n=>i`<a href=${y(`/plans/${n.id}`)}><strong><${m} text=${n.erased?"erased":n.altered?"altered":n.title||n.id} /></strong></a>
          <span class="plan-goal soft"><${m} text=${n.goal} /></span>`},{title:"steps",class:"right num",cell:n=>n.step_count??0},{title:"revision",class:"right num col-wide",cell:n=>n.revision},{title:"task",class:"col-wide",cell:n=>n.task_id||i`<span class="faint">–</span>`},{title:"type",class:"col-wide",cell:n=>n.type||i`<span class="faint">–</span>`},{title:"by",class:"col-wide",cell:n=>n.actor},{title:"revised",cell:n=>i`<span class="soft"><${L} at=${n.at} /></span>`}]} />`}function pb({filtered:e}){return e?i`<${z} icon="search" title="No matching plans."><p><a href=${y("/plans")}>Show all plans</a></p><//>`:i`<${z} icon="plans" title="No plan yet.">
    <p>An agent records one with <code>record_plan</code> before it acts. Each step says whether and how it can be undone.</p><//>`}var ai,lb,cu=T(()=>{K();v();Ae();Z();H();B();ai=100,lb=[["","all"],["active","active"],["archived","archived"],["cancelled","cancelled"]]});function du({id:e,revisions:t,shown:n,from:o,counts:r}){return i`<ol class="revisions" reversed aria-label="Revisions, the newest first">
    ${t.map(s=>{let a=s.revision,l=r.get(a)??0;return i`<li key=${a} class=${a===n?"is-chosen":null}>
        <a class="revision" href=${y(`/plans/${e}`,{revision:a})} aria-current=${a===n&&!o?"true":null}>
          <strong>Revision ${a}</strong>
          <span class="soft"><${L} at=${s.at} /></span>
        </a>
        <p class="soft revision-why">${s.erased?"Its text was erased.":s.altered?"Its stored text was altered and is not shown.":s.reason||(a===1?"First version.":"")}</p>
        <p class="revision-end">
          ${l?i`<span class="soft">${l} ${l===1?"execution":"executions"}</span>`:i`<span class="faint">not carried out</span>`}
          ${a>1&&i`<a href=${y(`/plans/${e}`,{from:a-1,to:a})} aria-current=${o===a-1&&n===a?"true":null}>
            what changed<span class="visually-hidden"> in revision ${a}</span></a>`}
        </p>
      </li>`})}
  </ol>`}function uu({before:e,after:t}){let n=Ed(e.steps??[],t.steps??[]),o=Td(e,t),r=n.filter(s=>s.change!=="same").length;return i`<div class="revision-diff">
    <p class="note">
      <strong>Revision ${e.revision} to ${t.revision}.</strong>
      ${t.reason&&i` <${m} text=${t.reason} />`}
      <span class="soft"> ${r} of ${n.length} steps differ${o.length?`, and ${o.map(s=>s.name).join(", ")}`:""}.</span>
    </p>
    ${o.length?i`<${Be} before=${Object.fromEntries(o.map(s=>[s.name,s.before]))}
      after=${Object.fromEntries(o.map(s=>[s.name,s.after]))} titles=${[`revision ${e.revision}`,`revision ${t.revision}`]} />`:null}
    <h2 class="visually-hidden">Steps</h2>
    <ol class="steps">
      ${n.map(s=>i`<li key=${s.id} class=${`step-${s.change}`}>
        <div class="step-body"><${$b} row=${s} titles=${[`revision ${e.revision}`,`revision ${t.revision}`]} /></div>
      </li>`)}
    </ol>
  </div>`}function $b({row:e,titles:t}){let[n,o,r]=fb[e.change],s=e.after??e.before,a=i`<${se} tone=${n} icon=${o}>${r}<//>`;return e.change==="added"?i`<p class="step-mark">${a}</p><${Zr} step=${s} />`:i`<div class="step-head">
      <h3><${m} text=${s?.title||e.id} /></h3><code class="soft"><${m} text=${e.id} /></code><span class="step-end">${a}</span>
    </div>
    ${e.change==="changed"&&i`<${Be} before=${e.before} after=${e.after} titles=${t} />`}
    ${e.change==="removed"&&i`<p class="soft"><${k} name="cancelled" size=${14} /> Executions that began it keep it, with its undo.</p>`}`}var fb,pu=T(()=>{v();oe();H();B();ss();os();fb={added:["ok","unplanned","added"],removed:["failed","cancelled","removed"],changed:["doubt","edit","changed"],moved:["running","down","moved"],same:["idle","check","unchanged"]}});var fu={};Ce(fu,{Page:()=>mb});function mb({id:e,query:t}){let n=D({by:[e],kinds:["plan_","body_erased"]},r=>S(`/v1/plans/${encodeURIComponent(e)}`,{},{signal:r})),o=D({by:[e],kinds:["execution_","decision_recorded","action_ended"]},r=>S("/v1/executions",{plan_id:e,limit:li},{signal:r}));return n.data?i`<${hb} id=${e} query=${t} status=${n.data.status} revisions=${n.data.revisions} executions=${o.data?.executions??[]} />`:i`<div class="page"><h1>Plan</h1><${R} problem=${n.problem} retry=${n.reload} />${!n.problem&&i`<${U} />`}</div>`}function hb({id:e,query:t,status:n,revisions:o,executions:r}){let s=o[0],a=Number(t.get("to")||t.get("revision"))||s.revision,l=o.find(p=>p.revision===a)??s,c=o.find(p=>p.revision===Number(t.get("from"))),d=new Map;for(let p of r)d.set(p.revision,(d.get(p.revision)??0)+1);let u=p=>{let $=o.find(f=>f.revision===l.revision+p);$&&X({revision:c?"":$.revision,to:c?$.revision:"",from:c&&$.revision-1||""},{replace:!0})};return fe("Plan",{"[":{label:"previous revision",run:()=>u(-1)},"]":{label:"next revision",run:()=>u(1)},d:l.revision>1&&{label:"show changes or steps",run:()=>X(c?{from:"",to:"",revision:l.revision}:{from:l.revision-1,to:l.revision,revision:""})}}),i`<div class="page plan">
    <header class="plan-head">
      <p><a class="back" href=${y("/plans")}>Plans</a></p>
      <div class="page-head">
        <h1><${m} text=${l.erased?"Erased plan":l.altered?"Altered plan":l.title||e} /></h1>
        <${V} state=${n} />
        <div class="page-head-end"><${Ue} id=${e} /></div>
      </div>
      ${l.goal&&i`<p class="plan-goal"><${m} text=${l.goal} /></p>`}
      <p class="soft plan-about">
        ${[s.task_id&&i`task <a href=${y("/executions",{q:`task:${s.task_id}`})}>${s.task_id}</a>`,s.type,`by ${s.actor}`].filter(Boolean).map((p,$)=>i`${$?" · ":""}${p}`)}
      </p>
      ${n!=="active"&&s.retired_reason&&i`<p class="note">Retired: ${s.retired_reason}</p>`}
    </header>
    <div class="plan-body">
      <section class="plan-main" aria-label=${c?"What changed":`Revision ${l.revision}`}>
        ${c?i`<${uu} before=${c} after=${l} />`:i`<${gb} revision=${l} step=${t.get("step")||""} />`}
        <${j} flush title=${`Executions${r.length===li?`, the newest ${li}`:""}`}>
          ${r.length?i`<${bb} runs=${r} />`:i`<${z} icon="executions" title="No executions yet." />`}
        <//>
      </section>
      <aside class="plan-side" aria-label="Revisions">
        <${j} title="Revisions"><${du} id=${e} revisions=${o} shown=${l.revision} from=${c?.revision??0} counts=${d} /><//>
      </aside>
    </div>
  </div>`}function gb({revision:e,step:t}){let n=e.steps??[],o=n.filter(a=>a.estimate!==void 0&&a.estimate!==null),r=o.reduce((a,l)=>a+Number(l.estimate),0),s=i`Steps of revision ${e.revision}
    <span class="soft panel-note">${o.length?`estimated ${ue(r*1e3)}${o.length<n.length?` for ${o.length} of ${n.length}`:""}`:""}</span>`;return i`
    ${e.warnings?.length?i`<ul class="warnings" aria-label="Warnings">${e.warnings.map(a=>i`<li><${k} name="warning" /> <${m} text=${a} /></li>`)}</ul>`:null}
    ${e.reasoning&&i`<details class="reasoning"><summary>Reasoning</summary><p><${Pe} text=${e.reasoning} /></p></details>`}
    <${j} flush title=${s}><${Md} steps=${n} chosen=${t} /><//>`}function bb({runs:e}){return i`<${It} label="Executions of this plan" rows=${e} id=${t=>t.id}
    columns=${[{title:"status",cell:t=>i`<${V} state=${t.status} quiet />`},{title:"execution",cell:t=>i`<a href=${y(`/x/${t.id}`)}><code>${t.id}</code></a>`},{title:"revision",class:"right num",cell:t=>t.revision},{title:"plan",class:"col-wide",cell:t=>i`<${Nt} row=${t} />`},{title:"by",class:"col-wide",cell:t=>t.client||t.actor},{title:"started",cell:t=>i`<span class="soft"><${L} at=${t.started} /></span>`},{title:"took",class:"right col-wide",cell:t=>i`<${$t} from=${t.started} to=${t.ended} />`}]} />`}var li,$u=T(()=>{K();v();oe();Ae();Z();pu();ss();H();B();qe();li=100});function mu({a:e,b:t,arguments:n=[],results:o=[]}){if(!e||!t)return[e?"only in A":"only in B"];if([e.state,t.state].includes("planned"))return e.state===t.state?[]:["state"];let r=[];e.state!==t.state&&r.push("state"),(e.attempts??0)!==(t.attempts??0)&&r.push("attempts"),n.length&&r.push("arguments"),o.length&&r.push("result");let[s,a]=[e.seconds??0,t.seconds??0].sort((l,c)=>l-c);return a>1&&a>s*yb&&r.push("duration"),r}function hu(e){return e.map(({path:t,a:n,b:o,only:r})=>({path:t.replace(/^\$\.?/,"")||"value",kind:{a:"removed",b:"added","":"changed"}[r??""],before:n,after:o}))}function ci(e){let t=e.ended?(Date.parse(e.ended)-Date.parse(e.started))/1e3:null,n=o=>Object.values(o??{}).reduce((r,s)=>r+s,0);return{status:e.status,revision:e.revision??0,by:e.actor||e.client||"",started:e.started,took:t,steps:it(e),actions:n(e.actions)+n(e.undos),failed:e.actions?.failed??0,in_doubt:e.in_doubt??0,undone:e.undos?.ok??0,owed:e.owed??0,unplanned:e.unplanned??0}}var yb,gu=T(()=>{pr();yb=1.5});var _u={};Ce(_u,{Page:()=>wb});function wb({query:e}){let[t,n]=[e.get("a")||"",e.get("b")||""],o=e.get("show")==="all",r=D({kinds:["execution_"]},c=>S("/v1/executions",{limit:xb},{signal:c})),s=!!(t&&n),a=D({by:[t,n],kinds:["execution_","action_"]},c=>s?S("/v1/comparison",{a:t,b:n},{signal:c}):Promise.resolve(null)),l=r.data?.executions??[];return i`<div class="page compare">
    <div class="page-head"><h1>Compare two executions</h1></div>
    <div class="compare-pick">
      <${bu} side="A" value=${t} known=${l} onPick=${c=>X({a:c})} />
      <${w} icon="compare" label="Swap A and B" onClick=${()=>X({a:n,b:t})} />
      <${bu} side="B" value=${n} known=${l} onPick=${c=>X({b:c})} />
    </div>
    <${R} problem=${a.problem} retry=${a.reload} />
    ${s?a.data?i`<${Tb} comparison=${a.data} all=${o} />
            <${Sb} comparison=${a.data} all=${o} />`:!a.problem&&i`<${U} />`:i`<${j}><${z} icon="compare" title="Choose two executions."><p>For example two executions of one plan: one that succeeded and one that failed.</p><//>
          <${vb} chosen=${t||n} side=${t?"b":"a"} known=${l} /><//>`}
  </div>`}function bu({side:e,value:t,known:n,onPick:o}){let r=`recent-${e}`;return i`<label class="field compare-field"><span>${e}</span>
    <input type="text" list=${r} value=${t} placeholder="ex_…" spellcheck="false" autocomplete="off" onChange=${s=>o(s.target.value.trim())} />
    <datalist id=${r}>${n.map(s=>i`<option key=${s.id} value=${s.id}>${s.title} (${s.status})</option>`)}</datalist>
  </label>`}function vb({chosen:e,side:t,known:n}){let o=n.find(s=>s.id===e)?.plan_id,r=n.filter(s=>s.id!==e&&o&&s.plan_id===o).slice(0,_b);return r.length?i`<div class="compare-suggested"><h2>Of the same plan</h2>
    <ul>${r.map(s=>i`<li key=${s.id}><${V} state=${s.status} quiet /> <a href=${y("/compare",t==="b"?{a:e,b:s.id}:{a:s.id,b:e})}><${m} text=${s.title||s.id} /></a> <code class="soft">${s.id}</code> <span class="soft"><${L} at=${s.started} /></span></li>`)}</ul>
  </div>`:null}function Sb({comparison:{a:e,b:t},all:n}){let[o,r]=[ci(e),ci(t)],s=l=>o[l]!==r[l]&&l!=="started",a=kb.filter(([l])=>n||s(l)||l==="status");return i`<${j} flush>
    <table class="table compare-table">
      <thead><tr><th scope="col"><span class="visually-hidden">what</span></th>
        ${[e,t].map((l,c)=>i`<th scope="col"><span class="side">${"AB"[c]}</span> <a href=${y(`/x/${l.id}`)}><${m} text=${l.title||l.id} /></a> <code>${l.id}</code></th>`)}</tr></thead>
      <tbody>${a.map(([l,c])=>i`<tr key=${l} class=${s(l)?"differs":null}>
        <th scope="row">${c}</th>${[o,r].map(d=>i`<td>${Eb(l,d[l])}</td>`)}</tr>`)}</tbody>
    </table>
  <//>`}function Eb(e,t){return e==="status"?i`<${V} state=${t} />`:e==="started"?i`<${L} at=${t} />`:e==="took"?t===null?i`<span class="faint">not ended</span>`:ue(t*1e3):i`<span class="num">${t}</span>`}function Tb({comparison:e,all:t}){let n=e.rows.map(a=>({row:a,differs:mu(a)})),o=n.filter(a=>a.differs.length),r=n.length-o.length,s=i`<label class="check"><input type="checkbox" checked=${t} onChange=${()=>X({show:t?"":"all"},{replace:!0})} /> show what is the same</label>`;return i`<${j} flush title=${`${o.length} of ${n.length} steps and calls differ`} actions=${s}>
    <p class="compare-legend soft"><span><span class="side">A</span> <a href=${y(`/x/${e.a.id}`)}><${m} text=${e.a.title||e.a.id} /></a></span>
      <span><span class="side">B</span> <a href=${y(`/x/${e.b.id}`)}><${m} text=${e.b.title||e.b.id} /></a></span></p>
    ${!o.length&&i`<${z} icon="check" title="No step or call differs." />`}
    <ul class="compare-rows">${(t?n:o).map(({row:a,differs:l})=>i`<${Mb} key=${`${a.kind} ${a.name}`} row=${a} differs=${l} />`)}</ul>
    ${!t&&r>0&&i`<p class="compare-note"><${w} kind="ghost" icon="down" onClick=${()=>X({show:"all"},{replace:!0})}>${`${r} ${r===1?"is":"are"} the same`}<//></p>`}
    ${!!e.left_out&&i`<p class="soft compare-note">${e.left_out} more are not shown; those that ended otherwise come first.</p>`}
    ${e.whole===!1&&i`<p class="soft compare-note">Only the first actions of a long execution are compared.</p>`}
  <//>`}function Mb({row:e,differs:t}){let[n,o]=h(!!e.arguments?.length),s=[["arguments",e.arguments??[]],["result",e.results??[]]].filter(([,a])=>a.length);return i`<li class=${t.length?"differs":null}>
    <div class="compare-step">
      <div class="compare-name"><strong><${m} text=${e.summary||e.name} /></strong> <code class="soft"><${m} text=${e.name} /></code>
        ${yu[e.kind]&&i` <${se} icon=${e.kind==="undo"?"unwinding":"unplanned"}>${yu[e.kind]}<//>`}</div>
      <${xu} letter="A" side=${e.a} /><${xu} letter="B" side=${e.b} />
      <div class="compare-differs">${t.length?i`<${k} name="compare" size=${14} /> ${t.join(", ")}`:i`<span class="faint">same</span>`}
        ${s.length?i`<${w} kind="ghost" icon=${n?"down":"right"} aria-expanded=${String(n)} onClick=${()=>o(!n)}>${n?"hide":"show"}<//>`:null}</div>
    </div>
    ${n&&s.map(([a,l])=>i`<h3>${a}</h3>
      <div class="diff"><${Co} rows=${hu(l)} titles=${["A","B"]} words=${{removed:"only in A",added:"only in B"}} /></div>`)}
    ${n&&e.cut&&i`<p class="soft">More differences are not shown.</p>`}
  </li>`}function xu({letter:e,side:t}){return t?i`<div class="compare-side"><span class="side">${e}</span> <${V} state=${t.state||"planned"} quiet />
    ${(t.attempts??0)>1&&i`<span class="soft">${t.attempts} attempts</span>`}
    ${t.seconds!==void 0&&t.seconds!==null&&i`<span class="num soft">${ue(t.seconds*1e3)}</span>`}</div>`:i`<div class="compare-side"><span class="side">${e}</span> <span class="faint">missing</span></div>`}var xb,_b,kb,yu,wu=T(()=>{K();gu();v();oe();Z();H();B();xb=50,_b=8;kb=[["status","status"],["by","by"],["revision","plan revision"],["started","started"],["took","took"],["steps","steps"],["actions","actions"],["failed","failed"],["in_doubt","in doubt"],["unplanned","unplanned"],["undone","undone"],["owed","owed"]];yu={call:"unplanned call",undo:"undo",step:""}});function $n(e,t){return[e,...t].map(n=>n.map(Ab).join(",")).join(`\r
`)+`\r
`}function Ab(e){if(e==null)return"";if(typeof e=="number")return Number.isFinite(e)?String(e):"";if(e instanceof Ee)return e.source;let t=typeof e=="string"?e:re(e),n=Cb.test(t)?`'${t}`:t;return/[",\r\n]/.test(n)?`"${n.replaceAll('"','""')}"`:n}var Cb,di=T(()=>{dt();De();Cb=/^[\s'"]*[=+\-@\t\r|%＝＋－＠]/});function vu(e,t={count:0}){let n=e.map(d=>d.date),o=d=>e.map(u=>u[d]===null?null:Number(u[d]??0)),r=d=>e.map(u=>(u[d]??null)===null?null:Number(u[d])),s=(d,u)=>e.map(p=>u(p)?Number(p[d]??0)/u(p):null),a=d=>o(d).reduce((u,p)=>u+(p??0),0),l=d=>Number(d.completed??0)+Number(d.failed??0)+Number(d.cancelled??0),c=e.reduce((d,u)=>d+l(u),0);return[{id:"executions",title:hn(n[0])?"Executions per hour":"Executions per day",about:"by when they started, and by how they ended or were interrupted",unit:"count",days:n,stacked:!0,headline:`${a("started")} started`,series:[{name:"completed",values:o("completed"),tone:"ok",form:"bars"},{name:"failed",values:o("failed"),tone:"failed",form:"bars",pattern:"hatch"},{name:"cancelled",values:o("cancelled"),tone:"idle",form:"bars",pattern:"dots"},{name:"closed",values:o("closed"),tone:"plain",form:"bars",pattern:"columns"},{name:"interrupted",values:o("interrupted"),tone:"doubt",form:"bars",pattern:"grid"},{name:"open",values:e.map(d=>Math.max(0,Number(d.started??0)-l(d)-Number(d.closed??0)-Number(d.interrupted??0))),tone:"running",form:"bars",pattern:"stripes"}]},{id:"success",title:"Success",about:"completed executions, as a share of those that ended with a verdict",unit:"share",days:n,headline:c?us(a("completed")/c):"–",series:[{name:"success",values:s("completed",l),tone:"ok",form:"line"}]},{id:"duration",title:"Duration",about:`from start to end, of ${t.count} that ended: half took less than p50, 95 of 100 less than p95`,unit:"seconds",days:n,headline:t.count?`p50 ${Ht(t.p50,"seconds")}, p95 ${Ht(t.p95,"seconds")}`:"–",series:[{name:"p50",values:r("p50"),tone:"running",form:"line"},{name:"p95",values:r("p95"),tone:"undo",form:"line",pattern:"dash"}]},{id:"estimate",title:"Estimate against actual",about:"summed over steps that had an estimate and succeeded",unit:"seconds",days:n,headline:a("estimated")?`${(a("actual")/a("estimated")).toFixed(1)} × the estimate`:"–",series:[{name:"estimated",values:r("estimated"),tone:"idle",form:"line",pattern:"dash"},{name:"actual",values:r("actual"),tone:"accent",form:"line"}]},{id:"retries",title:"Retries and unwinding",about:"repeated steps, and executions with undone actions",unit:"count",days:n,headline:`${ds(a("retries"),"retry","retries")}, ${a("unwound")} unwound`,series:[{name:"retries",values:o("retries"),tone:"doubt",form:"line"},{name:"unwound",values:o("unwound"),tone:"undo",form:"line",pattern:"dash"}]},{id:"waiting",title:"Waiting for people",about:`from each question to its answer, summed; ${ds(a("asked"),"question")}`,unit:"seconds",days:n,headline:a("waited")?eo(a("waited")):"–",series:[{name:"waited",values:r("waited"),tone:"waiting",form:"bars"}]},{id:"doubt",title:"In doubt",about:"actions with an unknown outcome",unit:"count",days:n,headline:`${a("in_doubt")} ${a("in_doubt")===1?"action":"actions"}`,series:[{name:"in doubt",values:o("in_doubt"),tone:"doubt",form:"bars",pattern:"hatch"}]}]}function ku(e){return{header:["day",...e.series.map(t=>t.name)],rows:e.days.map((t,n)=>[t,...e.series.map(o=>o.values[n])])}}function Su(e){let t=e.flatMap(n=>n.series.map(o=>({name:`${n.id}: ${o.name}${n.unit==="seconds"?" (s)":""}`,values:o.values})));return{header:["day",...t.map(n=>n.name)],rows:(e[0]?.days??[]).map((n,o)=>[n,...t.map(r=>r.values[o])])}}function Ht(e,t){return e==null?"–":t==="seconds"?eo(Number(e)):t==="share"?us(e):String(e)}function eo(e){return e===0?"0":e<1?`${Math.round(e*1e3)} ms`:e<120?`${cs(e)} s`:e<7200?`${cs(e/60)} min`:e<172800?`${cs(e/3600)} h`:`${cs(e/86400)} d`}function ps(e,t){return hn(e)?new Intl.DateTimeFormat("en-GB",{day:"numeric",month:"short",hour:"2-digit",minute:"2-digit",timeZone:t}).format(Date.parse(e)):e}function Tu(e={},t={}){return Object.entries(e).sort((n,o)=>o[1]-n[1]).slice(0,Eu).map(([n,o])=>({name:n,value:o,text:t[n]?.calls?`${o} of ${t[n].calls}`:String(o),tone:"failed"}))}function Mu(e={}){return Object.entries(e).sort((t,n)=>n[1]-t[1]).map(([t,n])=>({name:Ob[t]??t,value:n,text:String(n),tone:"failed"}))}function Cu(e={}){return Object.entries(e).filter(([,t])=>t.compared).map(([t,n])=>{let[o,r]=[Number(n.estimated??0),Number(n.actual??0)];return{name:t,value:o?r/o:0,text:`${Ib(r,o)} (${eo(r)} for ${eo(o)})`,tone:r>o?"doubt":"ok"}}).sort((t,n)=>n.value-t.value).slice(0,Eu)}function Au(e={}){return{header:["agent","executions","success","failed","interrupted","actions","failed actions","in doubt","undone","p50","p95"],rows:Object.entries(e).map(([t,n])=>{let{started:o=0,completed:r=0,failed:s=0,cancelled:a=0,interrupted:l=0,actions:c=0,failures:d=0,undos:u=0,in_doubt:p=0,durations:$}=n,f=r+s+a;return[t,o,f?us(r/f):null,s,l,c,d,p,u,mn($.p50),mn($.p95)]})}}function Ou(e={}){let t=Object.entries(e).sort((n,o)=>(o[1].durations.p95??-1)-(n[1].durations.p95??-1));return{header:["tool","calls","failed","in doubt","p50","p90","p95","longest"],rows:t.map(([n,{calls:o=0,failed:r=0,in_doubt:s=0,durations:{p50:a,p90:l,p95:c,longest:d}}])=>[n,o,r,s,mn(a),mn(l),mn(c),mn(d)])}}function Iu(e={}){return Object.entries(e).map(([t,{observed:n=0,claimed:o=0,in_doubt:r=0}])=>{let s=n+o,a=r?`, ${r} in doubt`:"";return{name:t||"unknown",value:s?n/s:0,tone:"ok",text:s?`${us(n/s)} of ${s}${a}`:"no calls"}})}function Nu({executions:e=0,actions:t=0,whole_from:n="",detail_from:o=""},r){let s=`Of ${ds(e,"execution")} and ${ds(t,"action")}.`,a=n?` What started before ${r(n)} was not looked at.`:"",l=o?` Retries, estimates, failures by tool, durations by tool and coverage are of what was done since ${r(o)}.`:"";return s+a+l}var us,cs,hn,Eu,Ob,Ib,mn,ds,fs=T(()=>{us=e=>`${Math.round(e*1e3)/10} %`;cs=e=>String(Math.round(e*10)/10),hn=e=>(e??"").includes("T");Eu=12;Ob={timed_out:"timed out",rate_limited:"too many requests",no_connection:"no connection",not_permitted:"not permitted",not_found:"not found",conflict:"conflict, exists already",invalid:"invalid request",server_error:"server error",out_of_space:"out of disk or memory",cancelled:"cancelled, interrupted",exit_code:"exit code only",other:"something else",no_text:"no error text"};Ib=(e,t)=>`${(e/t).toFixed(1)} ×`;mn=e=>e===void 0?null:eo(Number(e));ds=(e,t,n=`${t}s`)=>`${e} ${e===1?t:n}`});function Lu(e){let t=document.createElement("span");t.hidden=!0,e.append(t);let n=s=>(t.style.color=`var(${s})`,getComputedStyle(t).color),o={};for(let s of["ok","failed","doubt","waiting","running","undo","idle"])o[s]=n(`--${s}-fill`);o.accent=n("--accent");let r={line:n("--line"),faint:n("--ink-faint"),surface:n("--surface"),sans:getComputedStyle(e).fontFamily};return t.remove(),{...r,of:s=>o[s]??o.idle}}function Ru(e,t){let n=t.of(e.tone);if(!e.pattern)return n;let o=8,r=Object.assign(document.createElement("canvas"),{width:o,height:o}),s=r.getContext("2d");if(!s)return n;if(s.fillStyle=n,s.fillRect(0,0,o,o),s.strokeStyle=s.fillStyle=t.surface,s.lineWidth=2,e.pattern==="hatch")for(let a of[-o,0,o])s.beginPath(),s.moveTo(a,o),s.lineTo(a+o,0),s.stroke();else e.pattern==="stripes"?(s.fillRect(0,0,o,2),s.fillRect(0,4,o,2)):e.pattern==="columns"?(s.fillRect(0,0,2,o),s.fillRect(4,0,2,o)):e.pattern==="grid"?(s.fillRect(0,0,o,1),s.fillRect(0,0,1,o)):(s.beginPath(),s.arc(o/2,o/2,1.5,0,7),s.fill());return a=>a.ctx.createPattern(r,"repeat")}var Du=T(()=>{});function qu({figure:e}){let t=I(null),[n,o]=h(null),r=Bo(ql),s=me("theme"),a=nt(),[l,c]=h(!1);return x(()=>{let d=matchMedia("(prefers-color-scheme: dark)"),u=()=>c(p=>!p);return d.addEventListener("change",u),()=>d.removeEventListener("change",u)},[]),ke(()=>{let d=t.current;if(!d||!r)return;let u=new r(jb(r,e,d,a,o),Rb(e),d),p=new ResizeObserver(()=>u.setSize({width:d.clientWidth,height:Pu}));return p.observe(d),()=>{p.disconnect(),u.destroy()}},[r,e,s,l,a]),i`<div class="plot">
    <p class="plot-readout" aria-hidden="true">
      ${n===null?i`<span class="plot-legend">${e.series.map(d=>i`<span><i class=${`swatch swatch-${d.form} pattern-${d.pattern??"plain"} tone-${d.tone}`}></i>${d.name}</span>`)}</span>`:i`<strong>${ps(e.days[n],a)}</strong> ${e.series.map(d=>i`<span>${d.name} ${Ht(d.values[n],e.unit)}</span>`)}`}
    </p>
    <div class="plot-canvas" ref=${t} role="img" aria-label=${`${e.title}, ${e.headline}; the table holds the values`}></div>
  </div>`}function Bu(e){let t=e.days.map(()=>0);return e.series.map(n=>!e.stacked||n.form!=="bars"?n.values:(t=t.map((o,r)=>Number(o)+Number(n.values[r]??0)),t))}function Fu(e){let t=e.series.map((o,r)=>({series:o,index:r})).filter(o=>o.series.form==="bars").reverse(),n=e.series.map((o,r)=>({series:o,index:r})).filter(o=>o.series.form==="line");return[...t,...n]}function Rb(e){let t=Bu(e);return[e.days.map(n=>Date.parse(n)/1e3),...Fu(e).map(({index:n})=>t[n])]}function Db(e){let t=Bu(e).flat().filter(a=>Number(a)>0).map(Number),[n,o]=[Math.min(...t),Math.max(0,...t)],r=e.series.every(a=>a.form==="line");if(e.unit==="seconds"&&r&&o>n*Nb)return{distr:3,range:()=>[10**Math.floor(Math.log10(n)),10**Math.ceil(Math.log10(o))]};let s=e.unit==="count"?4:1;return{range:()=>[0,e.unit==="share"?1:Math.max(o,s)*1.08]}}function Pb(e,t){let n=new Intl.DateTimeFormat("en-GB",{day:"numeric",month:"short",timeZone:t}),o=new Intl.DateTimeFormat("en-GB",{hour:"2-digit",minute:"2-digit",timeZone:t}),r=s=>e&&o.format(s)!=="00:00"?o.format(s):n.format(s);return{space:64,size:24,incrs:e?[1,2,3,6,12,24].map(s=>s*ui):[1,2,7,14,30,90].map(s=>s*ju),values:(s,a)=>a.map(l=>r(l*1e3))}}function jb(e,t,n,o,r){let s=Lu(n),a=`11px ${s.sans}`,l={stroke:s.faint,font:a,grid:{stroke:s.line,width:1},ticks:{show:!1}},c=hn(t.days[0]),d=c?o:"Etc/UTC",u=(c?ui:ju)/2,p=Db(t);return{width:n.clientWidth,height:Pu,legend:{show:!1},tzDate:$=>e.tzDate(new Date($*1e3),d),cursor:{y:!1,drag:{setScale:!1,x:!1,y:!1},points:{size:6}},hooks:{setCursor:[$=>r($.cursor.idx??null)]},scales:{x:{range:($,f,g)=>[f-u,g+u]},y:p},axes:[{...l,grid:{show:!1},...Pb(c,d)},{...l,size:56,space:36,...p.distr?{}:{incrs:Lb[t.unit]},values:($,f)=>f.map(g=>g===null?"":Ht(g,t.unit))}],series:[{},...Fu(t).map(({series:$})=>({label:$.name,stroke:s.of($.tone),width:$.form==="line"?1.75:0,spanGaps:!1,dash:$.pattern==="dash"?[5,4]:void 0,fill:$.form==="bars"?Ru($,s):void 0,paths:$.form==="bars"?e.paths.bars({size:[.72,28],radius:.12}):e.paths.linear(),points:{show:$.form==="line",size:4}}))]}}var Pu,ui,ju,Nb,Lb,zu=T(()=>{v();Mr();Ve();mt();fs();Du();Pu=168,ui=3600,ju=24*ui,Nb=50,Lb={count:[1,2,5,10,20,50,100,200,500,1e3,2e3,5e3,1e4,5e4],seconds:[.1,.5,1,2,5,10,15,30,60,120,300,600,900,1800,3600,7200,10800,21600,43200,86400,172800,604800],share:[.25,.5]}});function Hu({figure:e}){let[t,n]=h(!1),o=i`
    <${w} kind="ghost" icon="table" pressed=${t} label=${`${e.title} as a table`} onClick=${()=>n(!t)} />
    <${w} kind="ghost" icon="export" label=${`${e.title} as CSV`} onClick=${()=>qb(e)} />`;return i`<${j} class="figure" title=${e.title} actions=${o} data-testid=${`figure-${e.id}`}>
    <p class="figure-number num">${e.headline}</p>
    <p class="figure-about soft">${e.about}</p>
    ${t?i`<${Bb} figure=${e} />`:i`<${qu} figure=${e} />`}
  <//>`}function qb(e){let{header:t,rows:n}=ku(e);Ye(`tallystick-${e.id}.csv`,$n(t,n),"text/csv")}function Bb({figure:e}){let t=nt();return i`<div class="figure-table" role="region" aria-label=${`${e.title}, values`} tabindex="0">
    <table class="table">
      <thead><tr><th scope="col">${hn(e.days[0])?"hour":"day"}</th>${e.series.map(n=>i`<th scope="col" class="right">${n.name}</th>`)}</tr></thead>
      <tbody>${e.days.map((n,o)=>i`<tr key=${n}><th scope="row">${ps(n,t)}</th>${e.series.map(r=>i`<td class="right num">${Ht(r.values[o],e.unit)}</td>`)}</tr>`).reverse()}</tbody>
    </table>
  </div>`}function to({title:e,about:t,rows:n,none:o,id:r}){let s=Math.max(1,...n.map(l=>l.value)),a=i`<${w} kind="ghost" icon="export" label=${`${e} as CSV`}
    onClick=${()=>Ye(`tallystick-${r}.csv`,$n(["name","value","text"],n.map(l=>[l.name,l.value,l.text])),"text/csv")} />`;return i`<${j} class="figure" title=${e} actions=${a} data-testid=${`figure-${r}`}>
    <p class="figure-about soft">${t}</p>
    ${n.length?i`<table class="figure-bars"><tbody>${n.map(l=>i`<tr key=${l.name}>
          <th scope="row" title=${xe(l.name)}><${m} text=${l.name} /></th>
          <td><svg class=${`figure-bar tone-${l.tone}`} viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true"><rect width=${l.value/s*100} height="10" /></svg></td>
          <td class="right num">${l.text}</td></tr>`)}</tbody></table>`:i`<p class="soft figure-none">${o}</p>`}
  <//>`}function pi({title:e,about:t,id:n,data:{header:o,rows:r},none:s}){let a=i`<${w} kind="ghost" icon="export" label=${`${e} as CSV`} onClick=${()=>Ye(`tallystick-${n}.csv`,$n(o,r),"text/csv")} />`;return i`<${j} class="figure figure-wide" title=${e} actions=${a} data-testid=${`figure-${n}`}>
    <p class="figure-about soft">${t}</p>
    ${r.length?i`<div class="figure-scroll" role="region" aria-label=${e} tabindex="0"><table class="table">
          <thead><tr>${o.map((l,c)=>i`<th scope="col" class=${c?"right":null}>${l}</th>`)}</tr></thead>
          <tbody>${r.map(([l,...c])=>i`<tr key=${l}><th scope="row"><${m} text=${String(l)} /></th>
            ${c.map(d=>i`<td class=${ne("right num",!d&&"faint")}>${d??"–"}</td>`)}</tr>`)}</tbody>
        </table></div>`:i`<p class="soft figure-none">${s}</p>`}
  <//>`}var Uu=T(()=>{di();Wn();v();B();mt();fs();zu()});var Ku={};Ce(Ku,{Page:()=>Hb});function Hb({query:e}){let t=e.get("days")||"",n=t==="1"?"hour":"",o=Object.fromEntries(Wu.map(([f])=>[f,e.get(f)||""])),{data:r,problem:s,reload:a}=D({by:[t,...Object.values(o)],kinds:zb},f=>S("/v1/series",{days:t,by:n,...o},{signal:f})),l=le(()=>vu(r?.days??[],r?.durations),[r]),c=r&&!r.days.some(f=>f.started),d=me("zone"),u=f=>Lt(f,d),p=r?.detail_from?`; only what was done since ${u(r.detail_from)}`:"",$=()=>{let{header:f,rows:g}=Su(l);Ye(`tallystick-stats-${t?`${t}-days`:"all"}.csv`,$n(f,g),"text/csv")};return i`<div class="page stats">
    <div class="page-head">
      <h1>Stats</h1>
      <${ie} label="Days" value=${t} choices=${Fb} onChange=${f=>X({days:f})} />
      ${Wu.map(([f,g])=>i`<${Ub} key=${f} name=${f} word=${g} value=${o[f]} />`)}
      <div class="page-head-end"><${w} icon="export" disabled=${!r} onClick=${$}>Export as CSV<//></div>
    </div>
    <${R} problem=${s} retry=${a} />
    ${r?c?i`<${j}><${z} icon="stats" title="Nothing was started."><p>Choose more days, or fewer filters.</p><//><//>`:i`<div class="figures">
            ${l.map(f=>i`<${Hu} key=${f.id} figure=${f} />`)}
            <${to} id="failures" title="Failures by tool" about=${`actions that ended with failed, of the calls of the tool${p}`} rows=${Tu(r.failures,r.tools)} none="No tool failed." />
            <${to} id="errors" title="Failures by kind of error" about=${`estimated from the texts of the newest failures${p}`} rows=${Mu(r.errors)} none="Nothing failed." />
            <${to} id="estimates" title="Estimate against actual, by tool" about=${`steps that had an estimate and succeeded: how many times as long they took${p}`} rows=${Cu(r.tools)} none="No step with an estimate succeeded." />
            <${to} id="coverage" title="Coverage by client" about=${`calls that a hook, a gateway or an adapter saw; the others were only claimed${p}`} rows=${Iu(r.coverage)} none="No call was recorded." />
            <${pi} id="agents" title="Agents side by side" about="executions by the agent that started them; success is the share of those that ended with a verdict" data=${Au(r.agents)} none="No agent started anything." />
            <${pi} id="tools" title="Durations by tool" about=${`of calls that ended: half took less than p50, 90 and 95 of 100 less than p90 and p95${p}`} data=${Ou(r.tools)} none="No call was recorded." />
          </div>
          <p class="soft">${Nu(r,u)}${r.by==="day"?" Days are in UTC.":""}</p>`:!s&&i`<${U} />`}
  </div>`}function Ub({name:e,word:t,value:n}){return i`<label class="inline-field"><span>${t}</span>
    <input type="text" size="12" value=${n} placeholder="all" spellcheck="false" onChange=${o=>X({[e]:o.target.value.trim()})} /></label>`}var Fb,Wu,zb,Vu=T(()=>{K();Uu();fs();di();Wn();v();Z();H();Ve();B();Fb=[["","All"],["1","Today"],["7","7 days"],["30","30 days"],["90","90 days"]],Wu=[["task_id","Task"],["actor","Agent"],["client","Client"]],zb=["execution_","approval_decided"]});function fi(e){let t=Kb(e);if(!t)return t;let n=[...e.undos.values()],o=Wb.find(([,s])=>n.some(a=>s.has(a)))?.[0]??t,r=o==="undone"&&e.cancellable==="partially-reversible"?"partly":o;return e.kept&&r!=="undone"?"kept":r}function Kb(e){return e.kind==="undo"||e.undoes.length||e.effect==="read"||e.state==="skipped"||e.state==="failed"&&e.withoutEffect?"":e.cancellable==="irreversible"?"not_possible":e.whileUnwinding?"may_be_undo":"not_undone"}var Wb,Gu=T(()=>{Wb=[["undone",new Set(["ok"])],["undoing",new Set(["open"])],["in_doubt",new Set(["unknown","doubted"])],["failed",new Set(["failed"])]]});function Ju(){return{seq:0,at:"",status:"",planId:"",revision:0,steps:new Map,actions:new Map,approvals:new Map,decisions:[],context:new Map}}function Jb(e,t){e.seq=t.seq,e.at=t.at,ly[t.kind]?.(e,t,t.facts??{},t.body??{})}function Yu(e){return[...e.actions.values()].map(t=>({action:t,word:fi(t)})).filter(({word:t})=>t&&t!=="undone"&&t!=="kept").sort((t,n)=>+(t.word==="may_be_undo")-+(n.word==="may_be_undo")||n.action.seq-t.action.seq)}function $i(e,t){let n=e.steps.get(t),o=n?.status==="done"?e.actions.get(n.action):void 0;return o&&fi(o)==="undone"&&[...o.undos].some(([a,l])=>l==="ok"&&e.actions.get(a)?.kind==="undo")?"undone":n?.status||"planned"}function Qu(e){let t=new Set(["open","doubted","unknown"]);return[...e.actions.values()].filter(n=>t.has(n.state))}function Yb(e,t,n){e.status="running",e.planId=n.plan_id??"",e.revision=n.revision??0}function Qb(e,t,n){e.status=n.status}function Xb(e,t,n,o){let r={id:t.id,state:"open",seq:t.seq,at:t.at,endSeq:0,ended:"",kind:n.action_kind??"do",undoes:n.undoes?[n.undoes,...n.undoes_too??[]]:[],kept:!1,tool:n.tool??"",step:n.step??"",effect:n.effect??"unsafe",cancellable:n.cancellable??"",attempt:n.attempt??1,summary:typeof o.summary=="string"?o.summary:"",actor:t.actor,witness:t.witness,withoutEffect:!1,whileUnwinding:!!n.while_unwinding,undos:new Map};e.actions.set(r.id,r),mi(e,n),ms(e,r,!0)}function Zb(e,t,n){let o=e.actions.get(t.id);if(!o)return;let r=n.contradicts?"doubted":n.outcome,s=o.state==="failed"&&r==="failed";if(o.withoutEffect=!!n.without_effect||s&&o.withoutEffect,n.contradicts){o.kept=!1;for(let[d,u]of o.undos)["ok","failed","skipped"].includes(u)&&o.undos.delete(d)}let a=o.state==="ok"&&r!=="ok",l=o.state===r&&["ok","failed","skipped"].includes(r);o.state=r,o.endSeq=t.seq,l||(o.ended=t.at);let c=r==="skipped"&&(t.witness==="observed"||!!n.settles);ms(e,o,!1,a,c)}function ey(e,t){let n=e.actions.get(t.id);n&&(n.state="doubted",ms(e,n,!1))}function ty(e,t,n){let o=n.call?e.actions.get(t.id):void 0;o&&(t.witness==="observed"&&(o.witness="observed"),n.effect&&(o.effect=n.effect,o.tool=n.tool??"",n.step&&Xu(e,o,{step:n.step})),mi(e,n))}function ny(e,t,n,o){let r=typeof o.why=="string"?o.why:"";if(e.decisions.push({seq:t.seq,at:t.at,decision:n.decision,why:r,step:n.step??"",actor:n.credential||t.actor}),n.decision==="keep"){for(let l of n.kept??[])oy(e,l);return}if(n.action_id){let l=e.actions.get(n.action_id);l&&Xu(e,l,n),mi(e,{approval_id:n.used});return}let s=n.step?Zu(e,n.step):void 0;s&&n.decision==="skip"&&(s.status="skipped"),s&&(s.decided=n.decision);let a=e.approvals.get(n.approval_id);a&&(a.blocks=!0),n.decision==="replan"&&n.revision&&(e.revision=n.revision),Gb.has(e.status)||(e.status=n.status)}function Xu(e,t,n){t.step||t.undoes.length||t.kind==="undo"||(t.whileUnwinding=!1,t.step=n.step??"",t.cancellable||=n.cancellable??"",t.undoes=n.undoes?[n.undoes,...n.undoes_too??[]]:[],n.undoes&&!n.step&&(t.kind="undo"),t.attempt=n.step?(e.steps.get(n.step)?.attempts??0)+1:1,ms(e,t,!0))}function oy(e,t){let n=e.actions.get(t);n&&(n.kept=!0)}function sy(e,t,n,o){let r=typeof o.question=="string"?o.question:"";e.approvals.set(t.id,{seq:t.seq,question:r,tool:n.tool??"",status:"pending",blocks:!1})}function ry(e,t,n){let o=e.approvals.get(t.id);if(!o)return;o.status=n.verdict;let r=[...e.approvals.values()].some(s=>s.blocks&&s.status==="pending");e.status==="blocked"&&!r&&(e.status="running")}function iy(e,t,n,o){e.context.set(n.key,{seq:t.seq,value:o.null?null:o.value})}function mi(e,t){let n=t.approval_id?e.approvals.get(t.approval_id):void 0;n&&["approve","edit"].includes(n.status)&&(n.status="used")}function Zu(e,t){let n=e.steps.get(t)??{status:"planned",attempts:0,action:"",decided:""};return e.steps.set(t,n),n}function ms(e,t,n,o=!1,r=!1){for(let l of t.undoes){let c=e.actions.get(l);c&&(n||o)&&(c.kept=!1),c?.undos.set(t.id,t.state)}if(t.kind!=="do"||!t.step)return;let s=Zu(e,t.step),a=r?"planned":Vb[t.state];!n&&ay(s,t,a)||Object.assign(s,{status:a,action:t.id,attempts:s.attempts+(n?1:0),decided:""})}function ay(e,t,n){return e.action&&e.action!==t.id?n!=="done":e.decided==="skip"&&(n==="in_doubt"||n==="planned")}var Vb,Gb,$s,ly,hi=T(()=>{Gu();Vb={open:"running",ok:"done",failed:"failed",skipped:"skipped",unknown:"in_doubt",doubted:"in_doubt"},Gb=new Set(["completed","failed","cancelled","closed"]);$s=class{constructor(t){this.entries=t,this.folded=0,this.state=Ju()}at(t){for(t<this.folded&&(this.folded=0,this.state=Ju());this.folded<t;this.folded+=1)Jb(this.state,this.entries[this.folded]);return this.state}countTo(t){let n=this.entries.findIndex(o=>o.seq>t);return n<0?this.entries.length:n}};ly={execution_started:Yb,execution_ended:Qb,action_begun:Xb,action_ended:Zb,action_doubted:ey,action_noted:ty,decision_recorded:ny,approval_requested:sy,approval_decided:ry,context_recorded:iy}});function ep(e){let[t,n]=h({entries:[],complete:!1,problem:null}),[o,r]=h(0);return Ie(s=>s?.kind==="body_erased"&&r(a=>a+1)),x(()=>{let s=new AbortController;return n({entries:[],complete:!1,problem:null}),dy(e,s.signal,(a,l)=>n({entries:a,complete:l,problem:null})).catch(a=>!s.signal.aborted&&n(l=>({...l,problem:a}))),()=>s.abort()},[e,o]),t}async function dy(e,t,n){let o=[],r=0;for(;;){let s=await S("/v1/entries",{execution_id:e,after:r,limit:cy},{signal:t});if(o=[...o,...s.entries],r=s.last_seq,n(o,!s.more),!s.more)return}}function hs(e){let{facts:t={},body:n}=e,o=t.channel==="client"?"A client answered":py[e.kind]??e.kind.replaceAll("_"," "),r=[t.outcome,t.decision?.replaceAll("_"," "),t.verdict,t.status&&e.kind==="execution_ended"?t.status:"",t.tool,t.step&&`step ${t.step}`,t.key],s=n?.summary||n?.why||n?.question||n?.error||n?.reason||"";return{word:o,what:r.filter(Boolean).join(" · "),text:typeof s=="string"?s:re(s)}}function gs(e){return e.kind==="action_ended"&&e.facts?.outcome==="failed"?"failed":e.kind==="action_doubted"||e.facts?.outcome==="unknown"?"in_doubt":e.kind==="decision_recorded"?"decision":e.kind.startsWith("approval_")?"approval":""}var cy,uy,tp,py,bs=T(()=>{K();v();De();Z();cy=1e3;uy=new Set(["action_begun","action_ended","decision_recorded","approval_requested","context_recorded"]),tp=e=>e.findIndex(t=>uy.has(t.kind))+1,py={execution_started:"The execution started",execution_ended:"The execution ended",action_begun:"An action began",action_ended:"An action ended",action_doubted:"An action is in doubt",action_noted:"A note on an action",decision_recorded:"A decision",approval_requested:"A person is asked",approval_decided:"A person answered",context_recorded:"A context value is recorded"}});function np({entry:e,execution:t}){let{word:n,what:o,text:r}=hs(e);return i`<${j} class="now-entry" title=${n} actions=${i`<a href=${y(`/x/${t}`,{tab:"journal",entry:e.seq})}>entry ${e.seq}</a>`}>
    <p class="now-what"><strong><${m} text=${o} /></strong></p>
    ${r&&i`<p class="now-text"><${Pe} text=${r} /></p>`}
    <p class="soft now-about"><span><${m} text=${e.facts?.credential||e.actor} /></span><${Ze} witness=${e.witness} /><${L} at=${e.at} form="absolute" /></p>
    ${e.body&&i`<details><summary>Details</summary><${ae} value=${e.body} label="body" /></details>`}
  <//>`}function op({state:e,steps:t,entry:n}){if(!t.length)return null;let o=(...s)=>t.filter(a=>s.includes($i(e,a.id))).length,r={done_steps:o("done","undone"),undone_steps:o("undone"),skipped_steps:o("skipped"),total_steps:t.length};return i`<${j} flush title=${`Plan, revision ${e.revision}`} actions=${i`<span class="soft num">${it(r)}</span>`}>
    <ul class="then">
      ${t.map(s=>{let a=e.steps.get(s.id);return i`<li key=${s.id} class=${n.facts?.step===s.id?"is-now":null}>
          <${V} state=${$i(e,s.id)} quiet />
          <span class="then-text"><${m} text=${s.title||s.id} /></span>
          ${a&&a.attempts>1?i`<span class="soft">attempt ${a.attempts}</span>`:null}
        </li>`})}
    </ul>
  <//>`}function sp({state:e,now:t}){let n=Qu(e);return i`<${j} flush title="Open or in doubt" actions=${i`<span class="soft num">${n.length}</span>`}>
    ${n.length?i`<ul class="then">${n.slice(-50).map(o=>i`<li key=${o.id} class=${o.id===t?"is-now":null}>
          <${V} state=${o.state} quiet /><span class="then-text"><${m} text=${o.summary||o.tool||o.id} /></span>
          <code class="soft">${o.id}</code></li>`)}</ul>`:i`<p class="then-none">No open actions.</p>`}
  <//>`}function rp({state:e,now:t}){let n=Yu(e);return i`<${j} flush title="Undo list" actions=${i`<span class="soft num">${n.length}</span>`}>
    ${n.length?i`<ul class="then">${n.slice(0,50).map(({action:o,word:r})=>i`<li key=${o.id} class=${o.id===t?"is-now":null}>
          <${V} state=${r} quiet /><span class="then-text"><${m} text=${o.summary||o.tool||o.id} /></span>
          ${o.state!=="ok"&&i`<span class="soft">may have happened</span>`}</li>`)}</ul>`:i`<p class="then-none">Nothing to undo.</p>`}
  <//>`}function ip({state:e}){let t=[...e.approvals.entries()];return i`<${j} flush title="Decisions and approvals" actions=${i`<span class="soft num">${e.decisions.length+t.length}</span>`}>
    ${e.decisions.length||t.length?i`<ul class="then">
          ${t.map(([n,o])=>i`<li key=${n} class=${o.seq===e.seq?"is-now":null}><${V} state=${o.status} quiet /><a class="then-text" href=${y(`/approvals/${n}`)}><${m} text=${o.question||n} /></a></li>`)}
          ${e.decisions.toReversed().slice(0,50).map(n=>i`<li key=${n.seq} class=${n.seq===e.seq?"is-now":null}>
            <strong>${n.decision.replaceAll("_"," ")}</strong><span class="then-text soft"><${m} text=${n.why} /></span></li>`)}
        </ul>`:i`<p class="then-none">Nothing yet.</p>`}
  <//>`}var ap=T(()=>{v();H();B();qe();hi();bs()});function lp({entries:e,complete:t,at:n,onMove:o,playing:r,onPlay:s,speed:a,onSpeed:l}){let c=e.length,d=f=>(s(!1),o(Math.max(1,Math.min(c,f)))),u=f=>{let g=f>0?e.findIndex((b,C)=>C>=n&&gs(b)):e.slice(0,n-1).findLastIndex(b=>gs(b));g>=0&&d(g+1)};gy(r,Number(a),()=>n<c?o(n+1):s(!1)),fe("Replay",{Space:{label:"play or stop",run:()=>s(!r)},ArrowRight:{label:"next entry",run:()=>d(n+1)},ArrowLeft:{label:"previous entry",run:()=>d(n-1)},l:{label:"next mark: a failure, a doubt, a decision, an approval",run:()=>u(1)},h:{label:"previous mark",run:()=>u(-1)},Home:{label:"to the first entry",run:()=>d(1)},End:{label:"to the last entry",run:()=>d(c)}});let p=e[n-1],$=p?hs(p):{word:"",what:""};return i`<div class="track">
    <div class="track-buttons">
      <${w} kind="ghost" icon="first" label="To the first entry" onClick=${()=>d(1)} />
      <${w} kind="ghost" icon="left" label="Previous entry" onClick=${()=>d(n-1)} />
      <${w} kind="primary" icon=${r?"paused":"running"} onClick=${()=>s(!r)} class="track-play">${r?"Stop":n>=c?"Play again":"Play"}<//>
      <${w} kind="ghost" icon="right" label="Next entry" onClick=${()=>d(n+1)} />
      <${ie} label="Entries per second" value=${a} choices=${fy} onChange=${l} />
      <span class="track-place num">entry ${n} of ${c}${t?"":" read so far"}</span>
    </div>
    <div class="track-line">
      <${my} entries=${e} />
      <input type="range" min="1" max=${Math.max(1,c)} step="1" value=${n} aria-label="Entry" data-testid="scrubber"
        aria-valuetext=${`entry ${n} of ${c}: ${$.word} ${$.what}`} onInput=${f=>d(Number(f.target.value))} />
    </div>
    <p class="track-legend soft">
      <span><i class="mark mark-failed"></i> failed</span><span><i class="mark mark-in_doubt"></i> in doubt</span>
      <span><i class="mark mark-decision"></i> decision</span><span><i class="mark mark-approval"></i> approval</span>
      <span class="track-keys"><${Fe} keys="h" /> <${Fe} keys="l" /> between marks, <${Fe} keys="Space" /> to play</span>
    </p>
  </div>`}function my({entries:e}){let t=e.map((r,s)=>({kind:gs(r),index:s})).filter(r=>r.kind),n=Math.ceil(t.length/$y),o=r=>e.length>1?r/(e.length-1)*1e3:0;return i`<svg class="track-marks" viewBox="0 0 1000 12" preserveAspectRatio="none" aria-hidden="true">
    ${t.filter((r,s)=>s%n===0).map(r=>i`<path key=${r.index} class=${`mark-${r.kind}`} d=${`M${o(r.index)} ${hy[r.kind]}V12`} vector-effect="non-scaling-stroke" />`)}
  </svg>`}function gy(e,t,n){let o=I(n);o.current=n,x(()=>{if(!e)return;let r=setInterval(()=>o.current(),1e3/t);return()=>clearInterval(r)},[e,t])}var fy,$y,hy,cp=T(()=>{v();Ae();B();bs();fy=[["1","1/s"],["4","4/s"],["20","20/s"]],$y=400;hy={failed:0,in_doubt:2,approval:5,decision:7}});var dp={};Ce(dp,{Page:()=>yy});function yy({id:e,query:t}){let{entries:n,complete:o,problem:r}=ep(e),s=D({by:[e],kinds:["execution_ended"]},G=>S(`/v1/executions/${encodeURIComponent(e)}/status`,{limit:1},{signal:G})),a=s.data?.execution,l=D({by:[a?.plan_id??""],kinds:["plan_recorded"]},G=>a?.plan_id?S(`/v1/plans/${a.plan_id}`,{},{signal:G}):Promise.resolve(null)),c=me("zone"),[d,u]=h(0),[p,$]=h(!1),[f,g]=h("4"),b=le(()=>new $s(n),[n]),C=Number(t.get("at"))||0;x(()=>{d||!n.length||!o&&n[n.length-1].seq<C||u(Math.max(1,C?b.countTo(C):tp(n)))},[n,o]),x(()=>{if(!d||p)return;let G=setTimeout(()=>X({at:n[d-1]?.seq},{replace:!0}),by);return()=>clearTimeout(G)},[d,p]);let A=G=>{G&&d>=n.length&&u(1),$(G)},_=Math.min(d,n.length),M=n[_-1],E=M?b.at(_):null,F=l.data?.revisions.find(G=>G.revision===E?.revision)?.steps??[];return i`<div class="page replay">
    <header class="replay-head">
      <p><a class="back" href=${y(`/x/${e}`)}>Current state of the execution</a></p>
      <div class="page-head">
        <h1>Replay of <${m} text=${a?.title||e} /></h1>
        ${E?.status&&i`<${V} state=${E.status} />`}
        ${M&&i`<time class="soft num" dateTime=${M.at}>${tn(M.at,c)}</time>`}
      </div>
    </header>
    <${R} problem=${r||s.problem} />
    ${!M||!E?!r&&i`<${U} what=${n.length?`Reading, ${n.length} entries so far`:"Reading"} />`:i`
        <${lp} entries=${n} complete=${o} at=${_} onMove=${u} playing=${p} onPlay=${A} speed=${f} onSpeed=${g} />
        ${!o&&i`<p class="soft" role="status">Reading on: ${n.length} entries so far.</p>`}
        <div class="replay-body">
          <div><${np} entry=${M} execution=${e} /><${ip} state=${E} /></div>
          <div><${op} state=${E} steps=${F} entry=${M} /><${sp} state=${E} now=${M.id} /></div>
          <div><${rp} state=${E} now=${M.id} /></div>
        </div>
        <p class="soft">A doubt appears with the entry that records it. Owed actions are listed newest first; the page of the execution has the order to undo them.</p>`}
  </div>`}var by,up=T(()=>{K();v();Z();hi();ap();bs();cp();H();Ve();B();by=300});async function pp(e,t){let n=[],o=0;for(let r=!0;r;){let s=await S("/v1/export",{after:o,limit:xy});n.push(...s.lines.map(a=>`${a.trimEnd()}
`)),{last_seq:o,more:r}=s,t(o)}Ye(`${e}.jsonl`,n,"application/x-ndjson")}var xy,fp=T(()=>{K();Wn();xy=2e3});var mp={};Ce(mp,{Page:()=>_y});function _y(){let[e,t]=h({name:"",busy:!1,read:null,problem:null}),[n,o]=h(!1),r=I(null),s=async l=>{if(!l)return;t({name:l.name,busy:!0,read:null,problem:null});let c=await vy(l).then(d=>({read:d,problem:null}),d=>({read:null,problem:d}));t({name:l.name,busy:!1,...c})};return i`<div class="page import">
    <div class="page-head"><h1>Open an export</h1></div>
    <p class="soft import-lead">Choose a JSONL file of a journal, written by <code>tallystick export</code> or by the button below, or of one
      execution, written by its page. The server verifies it as far as possible and keeps it in memory for a while. Only you see it. The journals of this server are not changed.</p>
    <div class=${`drop ${n?"is-over":""}`} onDragOver=${l=>(l.preventDefault(),o(!0))} onDragLeave=${()=>o(!1)} onDrop=${l=>{l.preventDefault(),o(!1),s(l.dataTransfer?.files[0])}}>
      <${k} name="import" size=${24} />
      <p>Drop a file here, or</p>
      <${w} kind="primary" disabled=${e.busy} onClick=${()=>r.current?.click()}>Choose a file<//>
      <input ref=${r} type="file" accept=".jsonl,.ndjson,application/x-ndjson" class="visually-hidden" tabindex="-1" aria-label="JSONL file"
        onChange=${l=>(s(l.target.files[0]),l.target.value="")} />
    </div>
    <p role="status" class="soft">${e.busy?`Reading ${e.name}…`:""}</p>
    <${R} problem=${e.problem} />
    ${e.read&&i`<${ky} name=${e.name} read=${e.read} />`}
    <${wy} />
  </div>`}function wy(){let e=Oe(),[t,n]=h(""),[o,r]=h(null),s=te()||e.journal||"journal";return i`<section class="take-along" aria-labelledby="take-along">
    <h2 id="take-along">Export this journal</h2>
    <p class="soft import-lead">Every entry of <code>${s}</code>, exactly as stored. Anyone can verify the file
      with <code>tallystick verify --file ${s}.jsonl</code>, or with Python alone.</p>
    <${w} icon="export" onClick=${async()=>{r(null),await pp(s,l=>n(`Read ${l} entries…`)).then(()=>n("The download has started."),l=>(n(""),r(l)))}}>Export the whole journal<//>
    <p role="status" class="soft">${t}</p>
    <${R} problem=${o} />
  </section>`}async function vy(e){if(e.size>$p)throw Object.assign(new Error(`${e.name} is larger than ${$p/1024/1024} MB.`),{hint:"Export less, for example one execution."});return Te("/v1/imports",await e.text())}function ky({name:e,read:t}){return i`<${j} title=${e}>
    <div class="import-result">
      ${t.verified?i`<p class="import-good"><${k} name="completed" /> The chain verifies from the first entry of this file to the last. Only a head stored elsewhere can show whether later entries are missing, or whether all of it was rewritten.</p>`:i`<p class="warning-note"><${k} name="warning" /> It does not verify: ${(t.problem||"the chain is broken").replace(/\.$/,"")}. Readable entries are shown anyway; do not rely on them.</p>`}
      <${Re} rows=${[["entries",i`<span class="num">${t.entries}</span>`],["shown as",i`<code>${t.journal}</code>`]]} />
      <${Ne} kind="primary" icon="executions" href=${`/executions?journal=${encodeURIComponent(t.journal)}`}>Open it<//>
    </div>
  <//>`}var $p,hp=T(()=>{K();fp();v();oe();H();ze();B();$p=32*1024*1024});var gp={};Ce(gp,{Page:()=>Sy});function Sy(){return i`<h1 class="visually-hidden">Not found</h1>
    <${z} title="There is no page at this address.">
      <a href=${y("/executions")}>All executions</a>
    </${z}>`}var bp=T(()=>{v();H();B()});v();Kt();$o();Ae();Z();var Rr={};Ce(Rr,{Page:()=>Cm});K();K();v();Z();H();B();function tl({execution:e,task:t}){let{data:n,problem:o,reload:r}=D({by:[e,t],kinds:["context_recorded","body_erased"]},async s=>{let a=[{scope:"execution",execution_id:e},...t?[{scope:"task",task_id:t}]:[]];return(await Promise.all(a.map(c=>S("/v1/context",{...c,limit:100},{signal:s})))).flatMap(c=>c.values)});return o?i`<${R} problem=${o} retry=${r} />`:n?n.length?i`<div class="context-tab">${n.map(s=>i`<${Ff} key=${s.scope+s.key} value=${s} execution=${e} />`)}</div>`:i`<${z} icon="context" title="No context values for this execution."><a href=${y("/context")}>Context of the whole project</a></${z}>`:i`<${U} />`}function Ff({value:e,execution:t}){let[n,o]=h(!1);return i`<${j} title=${i`<code><${m} text=${e.key} /></code>`} actions=${i`<span class="faint">${e.type} · for this ${e.scope} · <${m} text=${e.actor} /> · <${L} at=${e.at} /></span>`}>
    ${e.erased||e.altered?i`<p class="soft">${e.erased?"Its text was erased.":"Its stored text was altered and is not shown."}</p>`:i`<${ae} value=${e.value} label=${e.key} />`}
    ${e.versions>1&&i`<${w} kind="ghost" aria-expanded=${String(n)} onClick=${()=>o(!n)}>${n?"Hide":"Show"} its history (${e.versions})</${w}>`}
    ${n&&i`<${zf} value=${e} execution=${t} />`}
  </${j}>`}function zf({value:e,execution:t}){let n=e.scope==="execution"?{execution_id:t}:{task_id:e.scope_id},{data:o,problem:r}=D({by:[e.key,e.seq]},s=>S(`/v1/context/${encodeURIComponent(e.key)}`,{scope:e.scope,...n,limit:50},{signal:s}));return r?i`<${R} problem=${r} />`:o?i`<ol class="history">${o.values.slice(1).map(s=>i`<li key=${s.seq}><p class="faint"><${L} at=${s.at} /> by <${m} text=${s.actor} /></p><${ae} value=${s.value} label=${`${e.key}, earlier`} /></li>`)}</ol>`:i`<${U} />`}v();B();function nl({coverage:e}){return e?i`<div class="coverage-tab">
    <${j} title="Recorded actions">
      <div class="seen-figures">
        <${Io} value=${e.begun} word="begun" />
        <${Io} value=${e.ended} word="finished" />
        <${Io} value=${e.open||0} word="without an end" />
        <${Io} value=${e.unplanned||0} word="unplanned" />
      </div>
      <p class="soft">Observed: a hook, a gateway or a runner saw the call. Claimed: the agent reported it. Last entry ${e.silent_for} ago.</p>
      ${e.unobserved_client&&i`<p class="warn">No events from the hooks of ${e.unobserved_client} in this conversation: its calls are not recorded. <code>tallystick setup --check</code> says why.</p>`}
      ${e.spool_behind?i`<p class="warn">${e.spool_behind} bytes of hook events are not in the journal yet.</p>`:null}
    </${j}>
    <${j} title="Observers">
      ${e.observers?.length?e.observers.map(t=>i`<div class="observer" key=${t.session}>
              <${Re}
                rows=${[["client",i`${t.client} ${t.silent?i`<${se} tone="failed" icon="warning">silent</${se}>`:t.alive===!1?i`<${se} tone="idle">ended</${se}>`:i`<${se} tone="ok" icon="observed">active</${se}>`}`],["session",i`<code>${t.session}</code>`],["conversation",t.conversation],["last event",i`<${L} at=${t.last_event} />`]]}
              />
            </div>`):i`<p>No hook, gateway or adapter sees the agent of this execution: what is claimed here is only what the agent reported. To record calls by hooks, run <code>tallystick setup</code>.</p>`}
    </${j}>
  </div>`:i`<${z} title="No coverage is known." />`}function Io({value:e,word:t}){return i`<p class="seen-figure"><strong>${e??0}</strong><span>${t}</span></p>`}nn();v();De();Dn();He();Qt();Vt();jn();rn();nn();Kt();$o();v();oe();De();Z();H();ze();He();Qt();Vt();v();var Ro=new Set,xr=new Set;function il(e,t){x(()=>{if(t)return Ro.add(e),()=>{Ro.delete(e);for(let n of xr)n(0)}},[e,t])}function qn(e){let[,t]=Ut(r=>r+1,0),n=I([]);x(()=>(xr.add(t),()=>{xr.delete(t)}),[]);let o=[...e];return n.current.forEach((r,s)=>{(Ro.has(r.action_id)||Ro.has(r.undone_by||""))&&!e.some(l=>l.action_id===r.action_id)&&o.splice(s,0,{...r,gone:!0})}),n.current=o}function Bn({about:e,acts:t,label:n,over:o="It changed meanwhile.",first:r,more:s,onDone:a}){let[l,c]=h(""),[d,u]=h(""),p=I(void 0);il(e,!!l);let $=I(null),f=I("");x(()=>{let _=$.current;return()=>Zf(_,!!f.current)},[]),x(()=>{if(l||!f.current)return;$.current?.querySelector(d?".act-receipt":`[data-act="${f.current}"]`)?.focus()},[l]);let g=t.find(_=>_.id===l),b=p.current=l?g??p.current:void 0;if(Se()||!t.length&&!r&&!s&&!b&&!d)return null;let C=_=>(f.current=_||l,u(""),c(_)),A=_=>{let M=e$(_,e.startsWith("ex_"));$e(M,"ok"),u(M),f.current=l,c(""),a?.(_)};return i`<div class="acts" ref=${$}>
    ${!b&&i`<div class="acts-row" role="group" aria-label=${n}>
      ${r}
      ${t.map(_=>i`<${w} key=${_.id} icon=${_.icon} kind=${_.danger?"danger":"plain"} data-act=${_.id} onClick=${()=>C(_.id)}>${_.label}<//>`)}
      ${s}
    </div>`}
    ${b&&i`<${t$} key=${b.id} act=${b} about=${e} over=${g?"":o} onDone=${A} onCancel=${()=>C("")} />`}
    ${d&&!b&&i`<p class="act-receipt" tabindex="-1" role="status"><${k} name="check" size=${14} /> ${d}</p>`}
  </div>`}function Zf(e,t){!t&&!e?.contains(document.activeElement)||setTimeout(()=>document.activeElement===document.body&&document.getElementById("main")?.focus({preventScroll:!0}))}function e$({seq:e,repeated:t,status:n,state:o,notes:r=[]},s){let a=o?` The action is ${o==="in_doubt"?"still in doubt":o}.`:n&&s?` The execution is ${n}.`:"";return`${t?"Was recorded before":"Recorded"} as entry ${e}.${a}${r.length?` ${r.join(" ")}`:""}`}function t$({act:e,about:t,over:n,onDone:o,onCancel:r}){let s=Oe(),a=Object.fromEntries([...e.fields.map(({name:P,choices:N})=>[P,N?.[0][0]||""]),["key",""],["sent",""]]),[l,c,d]=po(co("act",t,e.id),a),[u,p]=h(!1),[$,f]=h(!1),[g,b]=h(null);wo(()=>b(P=>P?.status?P:null));let C=I(null),A=Me(),_=e.fields.find(({name:P,missing:N})=>N&&!l[P]?.trim()),M=e.needs==="approve"?s.may_decide:s.scopes.some(P=>P==="agent"||P==="run"),E=I(!1);x(()=>{E.current&&!fo()||(E.current=!0,C.current?.querySelector("textarea, .choice button, [type=submit]")?.focus(),C.current?.scrollIntoView({block:"nearest"}))},[M]);let F=async P=>{if(P.preventDefault(),p(!0),_||$||!M||n)return;f(!0);let N=e.request(l),W=re(N),Q=l.sent===W&&l.key?l.key:sn();c({sent:W,key:Q});try{let ee=await e.send(N,Q);d(),o(ee)}catch(ee){let{status:q}=ee;(q===401||q===403)&&ut(),b(ee),f(!1)}},G=()=>{n&&d(),r()};return i`<div class="act" ref=${C} onKeyDown=${P=>{P.key==="Escape"&&(P.stopPropagation(),G()),P.key==="Enter"&&(P.metaKey||P.ctrlKey)&&F(P)}}>
    <form onSubmit=${F} aria-labelledby=${`${A}-title`}>
      <p class="act-title" id=${`${A}-title`}>${e.title}</p>
      ${e.note&&i`<p class="soft">${e.note}</p>`}
      ${e.fields.map(P=>i`<${n$} key=${P.name} field=${P} value=${l[P.name]} onInput=${N=>c({[P.name]:N})} />`)}
      <p class="field-problem" role="alert">${u&&_?_.missing:""}</p>
      ${g&&i`<div class="act-refusal" role="alert"><${k} name="warning" size=${14} /><span>${g.message}${g.hint&&i` <strong>${g.hint}</strong>`}</span></div>`}
      ${n&&!$&&i`<div class="act-refusal" role="alert"><${k} name="warning" size=${14} /><span>${n} <strong>Nothing can be sent any more.</strong></span></div>`}
      <div class="act-send">
        ${M&&i`<${w} kind=${e.danger?"danger":"primary"} type="submit" icon=${e.icon} disabled=${$||!!n}>${e.submit}<//>`}
        <${w} kind="ghost" onClick=${G}>${n?"Close":"Not yet"}<//>
      </div>
    </form>
    ${!M&&!n&&s.version&&i`<${o$} act=${e} />`}
    ${!n&&i`<${s$} act=${e} open=${!M} />`}
  </div>`}function n$({field:e,value:t,onInput:n}){let{label:o,hint:r,choices:s}=e;return s?i`<div class="field"><span>${o}</span><${ie} label=${o} value=${t} choices=${s} onChange=${n} /></div>`:i`<label class="field"><span>${o} ${r&&i`<span class="faint">${r}</span>`}</span>
    <textarea rows="2" value=${t} maxlength="2000" onInput=${a=>n(a.target.value)}></textarea></label>`}function o$({act:e}){return e.needs==="approve"?i`<p class="note">Only a person who may decide can do this. What you typed is kept.</p><${Je} />`:i`<p class="note">This is decided by whoever may record: an agent or a runner, with the scope <code>agent</code> or <code>run</code>. Your login may not. Ask the agent, or use the command where the journal is.</p>`}function s$({act:e,open:t}){let n=gt().commandLine(e.command);return i`<details class=${ne("act-command",t&&"is-needed")} open=${t}>
    <summary>At the command line</summary>
    <span class="command"><code>${n}</code><${ye} text=${n} what="the command" /></span>
  </details>`}K();nn();var wr=(e,t)=>Te("/v1/decisions",e,{key:t}),r$=(e,t)=>Te("/v1/actions",e,{key:t}),_r=(e,t)=>({name:"evidence",label:e,hint:"recorded in the journal as yours",missing:t}),Do=e=>({name:"why",label:"Reason",hint:"recorded in the journal, and shown to the agent",missing:e}),al="Say how you know: look at the real system first.";function ll(e){let t={decision:"settle",action_id:e},n=r=>`record decision settle --action-id ${Ge(e)} --outcome ${r} --evidence 'how you know'`,o={needs:"approve",send:wr};return[{...o,id:"happened",label:"It happened",icon:"check",title:"It happened",submit:"Record that it happened",command:n("ok"),fields:[{name:"outcome",label:"What came of it",choices:[["ok","It succeeded"],["failed","It failed"],["without_effect","It failed and changed nothing"]]},_r("How you know",al)],request:({outcome:r,evidence:s})=>({...t,evidence:s,...r==="without_effect"?{outcome:"failed",without_effect:!0}:{outcome:r}})},{...o,id:"not",label:"It did not",icon:"close",title:"It did not happen",submit:"Record that it did not happen",command:n("skipped"),note:"The agent may then do it again.",fields:[_r("How you know",al)],request:({evidence:r})=>({...t,outcome:"skipped",evidence:r})},{...o,id:"unknown",label:"I cannot tell yet",icon:"in_doubt",title:"You cannot tell yet",submit:"Record what you looked at",command:n("unknown"),note:"It stays in doubt, and nobody repeats it. The next person reads what you looked at.",fields:[_r("What you looked at","Say what you looked at.")],request:({evidence:r})=>({...t,outcome:"unknown",evidence:r})}]}function cl(e){return[{id:"undid",label:"I undid it",icon:"unwinding",title:"You undid it",submit:"Record that it is undone",needs:"approve",send:r$,note:"Tallystick undoes nothing: say so only when it is done.",fields:[{name:"summary",label:"What you did, and how you checked it",missing:"Say what you did."}],request:({summary:t})=>({phase:"done",kind:"undo",undoes:e,outcome:"ok",summary:t}),command:`record action done --kind undo --undoes ${Ge(e)} --outcome ok --summary 'what you did'`},{id:"keep",label:"Keep it",icon:"save",title:"Keep it as it is",submit:"Take it off the list",needs:"approve",send:wr,note:"It is then not owed any more. Nothing is undone.",fields:[Do("Say why it is kept.")],request:({why:t})=>({decision:"keep",action_id:e,why:t}),command:`record decision keep --action-id ${Ge(e)} --why 'the reason'`}]}var i$=[["stop","Stopped"],["fail","Failed"],["done","Done"]],Fn=(e,t,n)=>({id:t,needs:"approve",send:wr,fields:[Do(`Say why you decide to ${t}.`)],request:o=>({decision:t,execution_id:e,why:o.why}),command:`record decision ${t} --execution-id ${Ge(e)} --why 'the reason'`,...n}),a$=e=>Fn(e,"stop",{id:"end",label:"End it",icon:"cancelled",danger:!0,title:"End this execution",submit:"End it for good",note:"It stays ended. Stopped and failed: what was done and is not undone is owed. Done: what is left undone is recorded with your reason.",fields:[{name:"decision",label:"How it ended",choices:i$},Do("Say why you end it.")],request:({decision:t,why:n})=>({decision:t,execution_id:e,why:n,...t==="done"?{incomplete:!0}:{}})}),l$={running:["pause","unwind"],blocked:["pause","unwind"],paused:["resume","unwind"],unwinding:["pause"]};function dl({id:e,status:t}){let n={pause:Fn(e,"pause",{label:"Pause",icon:"paused",title:"Pause this execution",submit:"Pause it",note:"No new action may begin. What is under way may end."}),resume:Fn(e,"resume",{label:"Resume",icon:"running",title:"Resume this execution",submit:"Resume it"}),unwind:Fn(e,"unwind",{label:"Unwind",icon:"unwinding",danger:!0,needs:"agent",title:"Unwind this execution",submit:"Unwind it",note:"What was done becomes owed, the newest first. No planned step begins any more."})},o=l$[t];return o?[...o.map(r=>n[r]),a$(e)]:[]}var c$=["running","blocked","unwinding"],zn=e=>c$.includes(e),ul=(e,t)=>Fn(e,"retry",{label:"Retry",icon:"replay",needs:"agent",title:"Permit another attempt",submit:"Permit one retry",note:"It permits one repeated call of this step.",fields:[Do("Say why another attempt will do better.")],request:({why:n})=>({decision:"retry",execution_id:e,step:t,why:n}),command:`record decision retry --execution-id ${Ge(e)} --step ${Ge(t)} --why 'the reason'`});function Hn({action:e,doubtful:t=!0,onDone:n}){return i`<${Bn} about=${e} label="What came of it" acts=${t?ll(e):[]} over="It is not in doubt any more." onDone=${n} />`}var pl="runner",d$=["not_undone","undoing","partly","failed","may_be_undo","in_doubt"];function fl({item:e,offered:t,onDone:n}){let{action_id:o,state:r,undo:s,undone_by:a}=e,l=t&&d$.includes(r)&&!e.gone,c=s?.tool?`${s.tool} ${re(s.arguments||{})}`:s?.words||"",d=l&&c&&i`<${p$} text=${c} word="Copy the undo" done="The undo is copied." />`,u=l&&r==="in_doubt"&&!!a;return i`${u&&i`<p class="soft">Its undo is in doubt:</p>`}
    ${a&&i`<${Hn} action=${a} doubtful=${u} onDone=${n} />`}
    <${Bn} about=${o} label="What is owed" acts=${l?cl(o):[]} over="It is undone or kept by now." more=${d} onDone=${n} />`}function u$({execution:{id:e,interrupted_by:t}}){let{shown:n}=ht(),{commandLine:o}=gt(),r=o(`get brief --execution-id ${e}`),s=o(`run --resume ${e}`),a=`Continue the execution ${e} of the Tallystick journal ${JSON.stringify(n)}. First read its brief: query_ledger with view=brief and execution_id=${e}, or the command ${r}. Look at the real system and settle what is in doubt; repeat nothing that is in doubt. Then go on with the next step, or ask me.`;return i`<div class="take-up">
    ${t===pl&&i`<p class="act-title">Let a runner go on</p>
      <p class="soft">Add the <code>--tools</code>, <code>--mcp</code> and <code>--policy</code> of the first time. A run of <code>tallystick serve</code> goes on when that runs again.</p>
      <span class="command"><code>${s}</code><${ye} text=${s} what="the command" /></span>`}
    <p class="act-title">${t===pl?"Or paste":"Paste"} this into an agent</p>
    <div class="take-up-text"><p>${a}</p><${ye} text=${a} what="the text for an agent" /></div>
  </div>`}function $l({execution:e,onDone:t}){let[n,o]=h(!1),r=dl(e),s=e.interrupted&&i`<${w} kind="primary" icon="follow" aria-expanded=${String(n)} onClick=${()=>o(!n)}>Take it up<//>`;return i`<${Bn} about=${e.id} label="Decide about this execution" acts=${r} over=${`The execution is ${e.status} by now.`} first=${s} onDone=${t} />
    ${n&&e.interrupted&&i`<${u$} execution=${e} />`}`}function ml({execution:e,step:t,failed:n,onDone:o}){return i`<${Bn} about=${`${e} ${t}`} label="Failed step" acts=${n?[ul(e,t)]:[]} over="No retry can be permitted any more." onDone=${o} />`}function p$({text:e,word:t,done:n}){return i`<${w} icon="copy" onClick=${async()=>{let r=await Yt(e);$e(r?n:"It cannot be copied.",r?"ok":"failed")}}>${t}<//>`}K();v();Ae();Z();H();B();K();v();Z();H();B();var f$=[["why","Why"],["question","Question"],["answer","Answer"],["reason","Reason"],["summary","Summary"],["error","Error"],["rejected","Why the others were not chosen"]];function hl({seq:e,onAction:t}){let{data:n,problem:o,reload:r}=D({by:[e],kinds:["body_erased"]},c=>S("/v1/entries",{after:e-1,limit:1},{signal:c}));if(o)return i`<${R} problem=${o} retry=${r} />`;if(!n)return i`<${U} />`;let s=n.entries[0];if(!s||s.seq!==e)return i`<p class="soft">There is no entry ${e}, or you may not see it.</p>`;let a=s.body||{},{facts:l}=s;return i`<div class="detail-body">
    <h2>${Un(s.kind)}</h2>
    <p class="detail-tags">${l.decision&&i`<strong>${l.decision}</strong>`}${l.status&&i`<${V} state=${l.status} />`}<${Ze} witness=${s.witness} /></p>
    <${Re}
      rows=${[["entry",i`<code>${s.seq}</code>`],["about",s.id&&(s.id.startsWith("ac_")?i`<button type="button" class="row-button mono" onClick=${()=>t(s.id)}>${s.id}</button>`:i`<${Ue} id=${s.id} />`)],["by",i`<${m} text=${s.actor||"–"} /> (${s.actor_kind||"agent"})`],["at",i`<${L} at=${s.at} />`],["clock",s.behind&&`${ue(s.behind*1e3)} behind the entry before`],["step",l.step&&i`<code><${m} text=${l.step} /></code>`],["approval",l.approval_id&&i`<a href=${y(`/approvals/${l.approval_id}`)}><code>${l.approval_id}</code></a>`],["trace",s.trace&&i`<code>${s.trace}</code>`],["key",s.key&&i`<code>${s.key}</code>`],["hash",i`<code class="hash">${s.hash}</code>`]]}
    />
    ${s.kind==="unreadable"&&i`<p class="warn">This entry cannot be read: <${m} text=${l.problem} />. ${l.needs?`Install ${l.needs==="newer"?"the newest version":`version ${l.needs}`}.`:i`Run <code>tallystick verify</code> to see whether it was changed.`}</p>`}
    ${s.erased&&i`<p class="soft">Its text was erased. The entry remains, and the chain still verifies.</p>`}
    ${s.altered&&i`<p class="warn">Its stored text is not the one that was recorded, and is not shown. Run <code>tallystick verify</code>.</p>`}
    ${f$.map(([c,d])=>typeof a[c]=="string"&&a[c]?i`<section class="part"><h3>${d}</h3><${Zt} text=${a[c]} /></section>`:null)}
    ${Array.isArray(a.alternatives)&&i`<section class="part"><h3>Alternatives</h3><ul>${a.alternatives.map(c=>i`<li><${m} text=${String(c)} /></li>`)}</ul></section>`}
    <section class="part"><h3>Raw</h3><${ae} value=${s} label="entry" /></section>
  </div>`}function gl({entries:e}){return i`<section class="part">
    <h3>Entries (${e.length})</h3>
    ${e.map(t=>i`<details class="entry-raw" key=${t.seq}>
        <summary><span class="num faint">${t.seq}</span> ${Un(t.kind)} <${Ze} witness=${t.witness} /> <span class="faint"><${m} text=${t.actor} /></span></summary>
        <${ae} value=${t} label=${`entry ${t.seq}`} />
        <p><a href=${y(location.pathname,{tab:"journal",entry:t.seq})}>Link to this entry</a></p>
      </details>`)}
  </section>`}var Un=e=>e.replaceAll("_"," ");K();v();oe();Z();H();B();var bl=3,$$=100,Po=xn({execution:"",approvals:[]}),vr=Po.Provider;function yl({id:e,waiting:t=0}){let{data:n}=D({by:[e,t],kinds:["approval_"],execution:e},o=>t?S("/v1/approvals",{execution_id:e,status:"pending",limit:$$},{signal:o}):Promise.resolve({approvals:[]}));return{execution:e,approvals:n?.approvals??[]}}var xl=(e,t)=>e.find(n=>n.step===t);function _l(){let{execution:e,approvals:t}=St(Po);if(!t.length)return null;let n=t.length-bl;return i`<ul class="x-questions" aria-label="Waits for an answer">
    ${t.slice(0,bl).map(o=>i`<li key=${o.id}><${k} name="blocked" /><p>Waits for an answer: <strong><${m} text=${o.question||o.id} /></strong></p>
      <${kr} about=${o.question||o.id} href=${y(`/approvals/${o.id}`)} /></li>`)}
    ${n>0&&i`<li><a href=${y("/approvals",{execution:e})}>${n} more</a></li>`}
  </ul>`}function wl({step:e}){let t=xl(St(Po).approvals,e);return t?i`<section class="part"><h3>Waits for an answer</h3><p><${m} text=${t.question||t.id} /></p>
    <${kr} about=${t.question||t.id} href=${y(`/approvals/${t.id}`)} /></section>`:null}function vl({step:e,title:t}){let{execution:n,approvals:o}=St(Po),r=xl(o,e);return i`<${kr} plain about=${t} href=${r?y(`/approvals/${r.id}`):y("/approvals",{execution:n})} />`}function kr({about:e,href:t,plain:n=!1}){return i`<${Ne} kind=${n?"plain":"primary"} href=${t} aria-label=${`Answer: ${xe(e)}`}>Answer</${Ne}>`}function kl({execution:e,status:t,action:n,step:o,entry:r,steps:s,onClose:a,onAction:l}){let c=I(null);return fe("Detail",{Escape:{label:"close the detail",run:a}}),x(()=>{let d=document.activeElement;return()=>{(!document.activeElement||document.activeElement===document.body)&&d instanceof HTMLElement&&d.isConnected&&d.focus()}},[]),x(()=>{matchMedia("(max-width: 1000px)").matches&&c.current?.focus()},[n,o,r]),i`<aside class="detail" aria-label="Detail" ref=${c} tabindex="-1">
    <div class="detail-close"><${ye} text=${location.href} what="link to this" /><${w} kind="ghost" icon="close" label="Close the detail" onClick=${a} /></div>
    ${n?i`<${m$} key=${n} id=${n} execution=${e} onAction=${l} />`:r?i`<${hl} key=${r} seq=${Number(r)} onAction=${l} />`:i`<${h$} key=${o} execution=${e} status=${t} step=${s.find(d=>d.id===o)} onAction=${l} />`}
  </aside>`}function m$({id:e,execution:t,onAction:n}){let{data:o,problem:r,reload:s}=D({by:[e],execution:t},f=>Promise.all([S(`/v1/actions/${encodeURIComponent(e)}`,{},{signal:f}),S("/v1/entries",{id:e,execution_id:t,limit:50},{signal:f})]));if(!o)return r?i`<${R} problem=${r} retry=${s} />`:i`<${U} />`;let[a,l]=o,{begin_body:c={},end_body:d={}}=a,u=f=>i`<button type="button" class="row-button mono" onClick=${()=>n(f)}>${f}</button>`,p=d.before??c.before,$=l.entries.find(f=>f.trace)?.trace;return i`<div class="detail-body">
    <${R} problem=${r} retry=${s} />
    <h2><${m} text=${c.summary||a.tool||a.id} /></h2>
    <p class="detail-tags"><${V} state=${a.state} /><${Ze} witness=${a.witness||"claimed"} />${a.kind==="undo"&&i`<${V} state="unwinding" word="undo" />`}</p>
    <${Re}
      rows=${[["action",i`<${Ue} id=${a.id} />`],["tool",a.tool&&i`<code><${m} text=${a.tool} /></code>`],["step",a.step&&i`<a href=${y(location.pathname+location.search,{step:a.step,action:""})}><code><${m} text=${a.step} /></code></a>`],["by",a.actor&&i`<${m} text=${a.actor} />`],["attempt",(a.attempt||1)>1?String(a.attempt):""],["begun",i`<${L} at=${a.begun} />`],["took",a.state==="skipped"?"":a.ended?i`<${$t} from=${a.begun} to=${a.ended} />`:a.state==="in_doubt"?"no end is recorded":i`<${$t} from=${a.begun} />`],["effect",a.effect],["undo",a.undo_state&&i`<${V} state=${a.undo_state} quiet />`],["temporary",a.temporary&&"yes"],["recorded",a.after_the_fact&&"after the fact"],["permission",a.permission],["repeats",a.repeats&&i`${u(a.repeats)}, which was in doubt`],["repeated by",a.repeated_by?.length?u(a.repeated_by.at(-1)):""],["undoes",a.undoes&&u(a.undoes)],["undone by",a.undone_by&&u(a.undone_by)],["trace",$&&i`<code>${$}</code>`]]}
    />
    <${Hn} action=${a.id} doubtful=${a.state==="in_doubt"} />
    <${he} title="Error">${d.error&&i`<${Zt} text=${d.error} />`}</${he}>
    <${he} title="Arguments">${"arguments"in c&&i`<${ae} value=${c.arguments} label="arguments" />`}</${he}>
    <${he} title="Result">${"result"in d&&i`<${ae} value=${d.result} label="result" />`}</${he}>
    <${he} title="Before and after">${p!==void 0&&d.after!==void 0&&i`<${Be} before=${p} after=${d.after} />`}</${he}>
    <${he} title="Before">${p!==void 0&&d.after===void 0&&i`<${ae} value=${p} label="before" />`}</${he}>
    <${he} title="After">${p===void 0&&d.after!==void 0&&i`<${ae} value=${d.after} label="after" />`}</${he}>
    <${he} title="Why it was repeated">${c.again&&i`<${m} text=${c.again} />`}</${he}>
    <${he} title="Evidence">${d.evidence&&i`<${m} text=${d.evidence} />`}</${he}>
    <${he} title="Outcome">${d.summary&&i`<${m} text=${d.summary} />`}</${he}>
    <${he} title="How to undo it">${c.undo&&i`<${ae} value=${c.undo} label="undo" />`}</${he}>
    <${gl} entries=${l.entries} />
  </div>`}function h$({execution:e,status:t,step:n,onAction:o}){let{data:r}=D({by:[e,n?.id],execution:e},a=>n?S(`/v1/executions/${encodeURIComponent(e)}/work`,{step:n.id,unfolded:!0},{signal:a}):Promise.resolve({rows:[]})),s=r?.rows||[];return n?i`<div class="detail-body">
    <h2><${m} text=${n.title||n.id} /></h2>
    <p class="detail-tags"><${V} state=${n.actual} /></p>
    <${Re}
      rows=${[["step",i`<code>${n.id}</code>`],["tool",n.tool&&i`<code><${m} text=${n.tool} /></code>`],["after",n.after?.length&&i`<code>${n.after.join(", ")}</code>`],["can be undone",n.cancellable],["estimate",Number(n.estimate)?`${Number(n.estimate)} s`:""],["decided",n.decided]]}
    />
    <${wl} step=${n.id} />
    <${ml} execution=${e} step=${n.id} failed=${n.actual==="failed"&&zn(t)} />
    <${he} title=${`Attempts (${s.length})`}>
      ${s.length?i`<ul class="plain-list">${s.map(a=>i`<li key=${a.id}><${V} state=${a.state} /><button type="button" class="row-button" onClick=${()=>o(a.id)}>${a.action_kind==="undo"?"undo":`attempt ${a.attempts||1}`}</button><span class="faint">${a.actor}</span><${L} at=${a.begun} /></li>`)}</ul>`:i`<p class="soft">No attempt yet.</p>`}
    </${he}>
  </div>`:i`<p class="soft">The current plan has no such step.</p>`}function he({title:e,children:t}){return t?i`<section class="part"><h3>${e}</h3>${t}</section>`:null}K();v();oe();Z();B();function Sl({execution:e,onAction:t}){let{data:n,problem:o,reload:r}=D({by:[e]},a=>S("/v1/in-doubt",{execution_id:e,limit:100},{signal:a})),s=qn(n?.in_doubt??[]);return n?s.length?i`<div class="doubt-tab">
    <${R} problem=${o} retry=${r} />
    <p class="lead"><${k} name="in_doubt" /><span><strong>Actions with an unknown outcome. Do not repeat them.</strong> Check the real system, then record the outcome and your evidence.</span></p>
    ${s.map(a=>i`<${g$} key=${a.action_id} item=${a} onAction=${t} />`)}
  </div>`:i`<${z} icon="completed" title="Nothing is in doubt.">Every action has a known outcome or is still in progress.</${z}>`:o?i`<${R} problem=${o} retry=${r} />`:i`<${U} />`}function g$({item:e,onAction:t}){return i`<${j} class="doubt-item" title=${i`<${m} text=${e.summary||e.tool||e.action_id} />`} actions=${i`<${V} state="in_doubt" />`}>
    <p class="soft">Since <${L} at=${e.since} />: ${e.why}. ${e.kind==="undo"?"It is an undo. ":""}${e.tool&&i`<code><${m} text=${e.tool} /></code> `}<button type="button" class="row-button mono" onClick=${()=>t(e.action_id)}>${e.action_id}</button></p>
    ${e.arguments&&i`<${ae} value=${e.arguments} label="arguments" />`}
    <h3>How to check</h3>
    ${typeof e.probe=="string"?i`<p><${m} text=${e.probe} /></p>`:e.probe?.tool||e.probe?.words?i`${e.probe.words&&i`<p><${m} text=${e.probe.words} /></p>`}${e.probe.tool&&i`<p><code><${m} text=${e.probe.tool} /></code></p><${ae} value=${e.probe.arguments||{}} label="arguments of the probe" />`}`:i`<p>No probe is recorded. Look for traces of <code><${m} text=${e.tool||"the action"} /></code> in the real system.</p>`}
    <h3>What came of it</h3>
    <${Hn} action=${e.action_id} doubtful=${!e.gone} />
  </${j}>`}K();v();oe();B();Wn();var y$=[["html","HTML file","one file that opens without a server"],["jsonl","JSONL","one entry per line, for programs"],["csv","CSV","one entry per row, for a spreadsheet"],["markdown","Copy for a model","Markdown on the clipboard, values fenced as data"]];function El({execution:e,end:t=!1}){let[n,o]=h(""),r=async s=>{o(s);try{let a=await S(`/v1/executions/${encodeURIComponent(e)}/report`,{form:s},{accept:"application/json"});s!=="markdown"?Ye(a.name,a.text,a.media_type):await Yt(a.text)?$e("Copied as Markdown.","ok"):Ye(a.name,a.text,a.media_type)}catch(a){$e(`The export failed: ${a.message}`,"failed")}o("")};return i`<${rt} label="Export this execution" icon="export" word="Export" end=${t}>
    <div class="menu-list export-list">
      ${y$.map(([s,a,l])=>i`<button key=${s} type="button" class="menu-item export-item" data-close disabled=${!!n} onClick=${()=>r(s)}>
        <${k} name=${s==="markdown"?"copy":"export"} /><span><strong>${a}</strong><span class="soft">${l}</span></span>
      </button>`)}
    </div>
  <//>`}v();oe();H();B();K();v();oe();Z();H();B();var x$=20,_$=100,Tl=300,Sr=e=>(e.failed||0)+(e.undos?.failed||0);function Cl({row:e,query:t}){let n=t.get("only")||"",o=(e.total_steps||0)-(e.done_steps||0)-(e.skipped_steps||0),r=l=>y(`/x/${e.id}`,l),s=e.actions||{},a=[e.total_steps?["steps done",i`${e.done_steps||0}<small> of ${e.total_steps}</small>`,"ok",r({view:"plan"})]:["done",s.ok||0,"ok",r({only:"done"}),n==="done"],["failed",Sr(e),"failed",r({only:"failed"}),n==="failed"],["in doubt",e.in_doubt||0,"doubt",r({tab:"doubt"})],["owed",e.owed||0,"undo",r({tab:"undo"})],["unplanned",e.unplanned||0,"idle",r({only:"unplanned"}),n==="unplanned"],["waiting",e.waiting||0,"waiting",y("/approvals",{execution:e.id})]];return e.total_steps&&a.splice(1,0,e.status==="unwinding"?["steps undone",e.undone_steps||0,"plain",r({view:"plan"})]:["steps left",o,"plain",r({view:"plan"})]),i`<ul class="tiles" aria-label="Figures">
    ${a.map(([l,c,d,u,p])=>i`<li key=${l}><a href=${u} aria-current=${p?"true":null} class=${ne("tile",`tone-${d}`,typeof c=="number"&&c>0&&d!=="plain"&&"tile-set")}><strong>${c}</strong><span>${l}</span></a></li>`)}
  </ul>`}function Al({row:e,steps:t}){let n=e.failed>0&&e.status!=="completed",o=e.undo_states?.failed>0,r=l=>t.find(c=>c.attempts&&!c.dropped&&c.actual===l),s=r("failed")??r("waiting"),{data:a}=D({by:[e.id,n,o,s?.action_id],execution:e.id,kinds:["action_","decision_recorded"]},async l=>{let c=`/v1/executions/${encodeURIComponent(e.id)}`,[d,u]=await Promise.all([n&&s&&S(`/v1/actions/${encodeURIComponent(s.action_id)}`,{},{signal:l}),o&&S(`${c}/undo-list`,{limit:_$},{signal:l})]),p=d?.state==="failed"&&{id:d.id,summary:d.begin_body?.summary||s.title,tool:d.tool,error:w$(d.end_body?.error||"")},$=n&&!p?(await S(`${c}/work`,{only:"failed",newest_first:!0,unfolded:!0,limit:x$},{signal:l})).rows:[];return{failure:p||$.find(f=>!f.step&&f.action_kind!=="undo"),undo:u&&u.items.find(f=>f.state==="failed")}});return i`${a?.failure&&i`<${Ml} item=${a.failure} id=${a.failure.id} />`}
    ${a?.undo&&i`<${Ml} item=${a.undo} id=${a.undo.undone_by||a.undo.action_id} undo />`}`}var w$=e=>e.length>Tl?`${e.slice(0,Tl).trimEnd()}...`:e;function Ml({item:e,id:t,undo:n=!1}){return i`<div class="x-failure"><${k} name="failed" /><p>${n&&"undo of "}<button type="button" class="row-button" onClick=${()=>X({action:t,step:"",entry:""})}><${m} text=${e.summary||e.tool||t} /></button> failed${e.error?i`: <${m} text=${e.error.replace(/^failed: /,"")} />`:"."}</p></div>`}function Ol({status:e,query:t,header_actions:n}){let o=e.execution;return i`<header class="x-head">
    <nav class="crumbs" aria-label="Breadcrumb"><a href=${y("/executions")}><${k} name="left" size=${12} />All executions</a></nav>
    <div class="x-title">
      <h1><${m} text=${o.title||o.id} /></h1>
      <${V} state=${Ot(o)} />
      <div class="x-actions">
        ${n&&i`<${n} status=${e} />`}
        <${Ne} href=${y(`/replay/${o.id}`)} icon="replay">Replay</${Ne}>
        <${Ne} href=${y("/compare",{a:o.id})} icon="compare">Compare</${Ne}>
        <${El} execution=${o.id} end />
      </div>
    </div>
    <dl class="x-facts">
      <div><dt>execution</dt><dd><${Ue} id=${o.id} /></dd></div>
      ${o.plan_id&&i`<div><dt>plan</dt><dd><a href=${y(`/plans/${o.plan_id}`)}><code>${o.plan_id}</code></a> <span class="faint">revision ${o.revision}</span></dd></div>`}
      <div><dt>by</dt><dd><${m} text=${o.actor||"–"} />${o.client&&i` <span class="faint"><${m} text=${o.client} /></span>`}</dd></div>
      ${o.task_id&&i`<div><dt>task</dt><dd><a href=${y("/executions",{q:`task:${o.task_id}`})}><${m} text=${o.task_id} /></a></dd></div>`}
      <div class="x-more"><dt>started</dt><dd><${L} at=${o.started} /></dd></div>
      <div><dt>${o.ended||o.interrupted?"took":"for"}</dt><dd><${$t} from=${o.started} to=${o.ended||o.interrupted} /></dd></div>
      ${o.interrupted&&i`<div><dt>interrupted</dt><dd><${L} at=${o.interrupted} /> <span class="faint">while ${o.status}, last worked on by <${m} text=${o.interrupted_by||o.last_session} /></span></dd></div>`}
      ${!o.ended&&i`<div><dt>last entry</dt><dd><${L} at=${o.last} /></dd></div>`}
      <div class="x-more"><dt>record</dt><dd><${v$} coverage=${e.coverage} id=${o.id} /></dd></div>
      ${o.total_steps?i`<div><dt>steps</dt><dd><${Nt} row=${o} steps=${e.steps.filter(r=>!r.dropped).map(r=>r.actual)} /> <span class="num">${it(o)}</span></dd></div>`:null}
    </dl>
    <${Al} row=${o} steps=${e.steps||[]} />
    <${_l} />
    <${k$} status=${e} />
    <${$l} execution=${o} />
    <${Cl} row=${o} query=${t} />
  </header>`}function v$({coverage:e,id:t}){if(!e)return"–";let n=e.observers?.length,o=e.observers?.some(r=>r.silent);return i`<a href=${y(`/x/${t}`,{tab:"coverage"})}>${e.ended||0} of ${e.begun||0} actions finished.</a>
    <span class="faint"> ${o?"Hooks are silent.":n?"Observed.":"Not observed by hooks."}</span>`}function k$({status:e}){let t=e.last_decision,n=[...(e.advice||[]).map(o=>i`<span class="advice"><${k} name="warning" /><span><code><${m} text=${o.step} /></code> failed: <${m} text=${o.text} /></span></span>`),t?.decision&&i`<span class="advice"><${k} name="claimed" /><span>last decision <strong>${t.decision}</strong>${t.why&&i`: <${m} text=${t.why} />`}</span></span>`].filter(Boolean);return n.length?i`<div class="notices">${n}</div>`:null}v();H();He();We();v();oe();B();var S$={failed:"undo failed",in_doubt:"undo in doubt"},an=e=>e.kind==="group"?e.tool||e.actor||e.summary||e.id:e.summary||e.tool||e.id,Pt=e=>e.kind==="step"?e.action_id||"":e.kind==="group"?"":e.id,Er=e=>e.depth===0&&(e.kind==="group"||e.kind==="step"&&((e.attempts||0)>1||!!e.undone_by)),Il=({shown:e,count:t})=>t?`${e} of ${t} shown`:`the first ${e} shown`;function E$(e){let t=Object.entries(e.states||{}).filter(([o])=>o!=="ok"),n=e.attempts||0;return[e.kind==="group"&&`${e.count} calls`,e.shown&&Il(e),...t.map(([o,r])=>`${r} ${At(o).word}`),e.kind==="step"&&n>1&&`${n} attempts`,e.kind==="action"&&n>1&&`attempt ${n}`,e.unplanned&&"unplanned",e.dropped&&"dropped from the plan",e.late&&"recorded after the end",e.temporary&&"temporary",e.decided&&`decided: ${e.decided}`,e.kind==="step"&&e.cancellable==="irreversible"&&"irreversible",e.permission,e.silent,e.unserved].filter(Boolean)}function Tr(e){let t=e.ended||e.lost;return["planned","skipped"].includes(e.state)?e.estimate?`about ${ue(e.estimate*1e3,1)}`:"":e.begun&&t?ue(Date.parse(t)-Date.parse(e.begun)):!e.begun&&e.estimate?`about ${ue(e.estimate*1e3,1)}`:e.begun&&["open","running"].includes(e.state)?"under way":""}function Nl({row:e,index:t,height:n,place:o,on:r,focusable:s,unfolded:a,loading:l,row_actions:c,onSelect:d,onToggle:u}){if(e.kind==="rest")return i`<${T$} row=${e} index=${t} height=${n} focusable=${s} onSelect=${d} />`;let{tone:p,icon:$,word:f}=At(e.state),g=E$(e),b=e.kind==="group"&&!e.tool?"":e.actor;return i`<div class=${ne("work-row",`tone-${p}`,r&&"work-on",e.depth>0&&"work-inside",e.unplanned&&"work-unplanned",!e.begun&&"work-ahead")} role="row" aria-rowindex=${t+2} style=${{height:`${n}px`}} data-row=${e.key}>
    <div role="cell" class="work-what">
      ${Er(e)?i`<button type="button" class="work-fold" aria-expanded=${String(a)} aria-label=${`${a?"Fold":"Unfold"} ${xe(an(e))}`} tabindex=${s?0:-1} onClick=${()=>u(e)}><${k} name=${a?"down":"right"} size=${12} /></button>`:i`<span class="work-fold" />`}
      <span class="work-icon"><${k} name=${e.action_kind==="undo"&&e.state==="ok"?"unwinding":$} /></span>
      <div class="work-text">
        <p class="work-title"><button type="button" class="row-button cut" data-focus tabindex=${s?0:-1} aria-pressed=${String(r)} onClick=${()=>d(e)}>${e.action_kind==="undo"?"undo: ":""}<${m} text=${an(e)} /></button>${g.length>0&&i`<span class="work-notes">${g.join(" · ")}</span>`}</p>
        <p class="work-more cut">${e.error?i`<span class="work-error"><${m} text=${e.error} /></span>`:i`${e.tool&&e.tool!==an(e)&&i`<code><${m} text=${e.tool} /></code>`}${b&&i`<span><${m} text=${b} /></span>`}${l&&i`<span>loading…</span>`}`}</p>
      </div>
    </div>
    <div role="cell" class="work-state"><span>${f}</span>${e.undo_state&&!["not_undone",e.state].includes(e.undo_state)&&i`<${V} state=${e.undo_state} quiet word=${S$[e.undo_state]||""} />`}</div>
    <div role="cell" class="work-actions">${c&&i`<${c} row=${e} />`}</div>
    <div role="cell" class="work-took num">${Tr(e)}</div>
    <div role="cell" class="work-chart">${o&&i`<${M$} row=${e} place=${o} />`}</div>
  </div>`}function T$({row:e,index:t,height:n,focusable:o,onSelect:r}){return i`<div class="work-row work-inside tone-plain" role="row" aria-rowindex=${t+2} style=${{height:`${n}px`}} data-row=${e.key}>
    <div role="cell" class="work-what"><span class="work-fold" /><span class="work-icon"><${k} name="down" /></span>
      <div class="work-text"><p class="work-title"><button type="button" class="row-button" data-focus tabindex=${o?0:-1} onClick=${()=>r(e)}>Show more</button><span class="work-notes">${Il(e)}</span></p></div></div>
    <div role="cell" class="work-state" /><div role="cell" class="work-actions" /><div role="cell" class="work-took" /><div role="cell" class="work-chart" />
  </div>`}function M$({row:e,place:t}){let n=ne("work-bar",`bar-${e.state}`,e.action_kind==="undo"&&"bar-undo",e.kind==="group"&&"bar-group",t.open&&"bar-open");return i`<span class=${n} aria-hidden="true" style=${{left:`${t.left*100}%`,width:`${t.width*100}%`}} />`}var C$=["not_undone","partly","failed","may_be_undo"],jo=(e,t)=>({row:n})=>n.kind==="group"?null:n.state==="waiting"?i`<${vl} step=${n.id} title=${an(n)} />`:n.state==="in_doubt"?i`<${qo} row=${n} word="Settle" to=${{action:Pt(n)}} />`:n.undo_state==="in_doubt"?i`<${qo} row=${n} word="Settle the undo" to=${{tab:"doubt"}} />`:e&&C$.includes(n.undo_state||"")?i`<${qo} row=${n} word="Undo or keep" to=${{tab:"undo"}} />`:t&&n.kind==="step"&&n.state==="failed"?i`<${qo} row=${n} word="Retry" to=${{step:n.id}} />`:null,A$=[jo(!1,!1),jo(!1,!0),jo(!0,!1),jo(!0,!0)],Ll=({status:e,owed:t})=>A$[(t?2:0)+Number(zn(e))];function qo({row:e,word:t,to:n}){let o=()=>X({action:"",step:"",entry:"",...n});return i`<${w} aria-label=${`${t}: ${xe(an(e))}`} onClick=${o}>${t}<//>`}K();v();Z();B();v();oe();B();var O$={known:"",unknown:"No undo is recorded. Check what it did, and decide.",erased:"The text of the undo was erased.",altered:"The stored text of the undo was altered and is not shown.",irreversible:"It is recorded as irreversible."};function Rl({items:e,lead:t,more:n=!1,rest:o,empty:r,onAction:s,actsOf:a}){return i`<div class="owed-tab">
    <p class="lead"><${k} name="owed" /><span><strong>${t}</strong>${e.length>0&&i` Undo from top to bottom. This page undoes nothing: you, an agent or a runner undoes an action, and records that with <code>kind=undo</code>.`}</span></p>
    ${e.length?i`<ol class="owed-list">${e.map(l=>i`<${I$} key=${l.action_id} item=${l} onAction=${s} acts=${a?.(l)} />`)}</ol>
          ${n&&i`<p class="soft">These are the first ${e.length}. The rest: <code>${o}</code></p>`}`:i`<${z} icon="completed" title=${r}>Every action is undone or kept.</${z}>`}
  </div>`}function I$({item:e,onAction:t,acts:n}){let o=O$[e.way]??e.way;return i`<li class="owed-item">
    <div class="owed-what">
      <p><button type="button" class="row-button" onClick=${()=>t(e.action_id)}><${m} text=${e.summary||e.tool||e.action_id} /></button>
        <span class="faint"> ${e.tool&&i`<code><${m} text=${e.tool} /></code> `}${e.step&&i`step <code><${m} text=${e.step} /></code>`}</span></p>
      <p class="detail-tags"><${V} state=${e.state} word=${e.state==="failed"?"undo failed":""} />${e.temporary&&i`<span class="maybe"><${k} name="late" size=${14} />temporary</span>`}${e.certain===!1&&i`<span class="maybe"><${k} name="in_doubt" size=${14} />may have happened</span>`}<${N$} at=${e.deadline} /></p>
    </div>
    <div class="owed-way">
      ${e.undo?i`${e.undo.words&&i`<p><${m} text=${e.undo.words} /></p>`}
            ${e.undo.tool&&i`<p><code><${m} text=${e.undo.tool} /></code></p><${ae} value=${e.undo.arguments||{}} label="arguments of the undo" />`}
            ${e.undo.missing?.length>0&&i`<p class="warn">Not recorded: <${m} text=${e.undo.missing.join(", ")} /></p>`}`:i`<p class="soft">${o}</p>`}
      ${e.error&&i`<p class="warn">The undo failed: <${m} text=${e.error} /></p>`}
      ${e.why&&i`<p class="soft"><${m} text=${e.why} /></p>`}
      ${e.undone_by&&i`<p class="soft">by <button type="button" class="row-button mono" onClick=${()=>t(e.undone_by)}>${e.undone_by}</button></p>`}
    </div>
    ${n&&i`<div class="owed-acts">${n}</div>`}
  </li>`}function N$({at:e}){let t=Date.parse(e)-we();return e?t<0?i`<span class="warn">undo was possible until <${L} at=${e} /></span>`:i`<span class="faint" title=${e}>can be undone for ${ue(t)} more</span>`:null}var L$=100,Dl=e=>Date.parse(e.deadline)>Date.now();function R$(e){if(e.owed==="nothing")return`Nothing of this is owed.${e.items.some(Dl)?" Some of it can be undone only for a while: undo or keep it in time.":""}`;let t=`${e.more_due?"More than ":""}${e.due} of this ${e.due===1?"is":"are"}`;return`${e.owed==="all"?"All of this is":t} owed: somebody still has to undo it.`}function Pl({execution:e,onAction:t}){let{data:n,problem:o,reload:r}=D({by:[e],execution:e},a=>S(`/v1/executions/${encodeURIComponent(e)}/undo-list`,{limit:L$},{signal:a})),s=qn(n?.items??[]);return n?i`<${R} problem=${o} retry=${r} />
    <${Rl} items=${s} lead=${R$(n)} more=${!!n.next_cursor} rest=${`tallystick undo-list ${e}`} empty="The undo list is empty." onAction=${t}
    actsOf=${a=>i`<${fl} item=${a} offered=${n.owed!=="nothing"||Dl(a)} onDone=${r} />`} />`:o?i`<${R} problem=${o} retry=${r} />`:i`<${U} />`}K();v();Ae();Z();H();B();v();Mr();B();v();var D$=5,Bl=.01;function Fl(e){let[t,n]=h(null),o={from:-Bl*e,to:(1+Bl)*e},r=t||o,s=be(c=>{let d=Math.max(D$,c.to-c.from);if(d>=o.to-o.from)return n(null);let u=Math.min(Math.max(c.from,o.from),o.to-d);return n({from:u,to:u+d})},[e]);return{view:r,zoomed:t!==null,zoom:(c,d=.5)=>{let u=(r.to-r.from)*c,p=r.from+d*(r.to-r.from);s({from:p-d*u,to:p+(1-d)*u})},pan:c=>{let d=c*(r.to-r.from);s({from:r.from+d,to:r.to+d})},show:s,fit:()=>n(null)}}function Kn(){let e=I(null),[t,n]=h(0);return ke(()=>{let o=e.current,r=()=>n(Math.floor(o.getBoundingClientRect().width)),s=new ResizeObserver(r);return s.observe(o),r(),()=>s.disconnect()},[]),[e,t]}function zl(e,t){let n=I(t);n.current=t,x(()=>{let o=e.current,r=new Map,s=u=>{let{left:p,width:$}=o.getBoundingClientRect();return(u-p)/$},a=u=>{let p=Math.abs(u.deltaX)>Math.abs(u.deltaY)?u.deltaX:u.shiftKey?u.deltaY:0;if(u.ctrlKey||u.metaKey)n.current.zoom(Math.exp(u.deltaY/300),s(u.clientX));else if(p)n.current.pan(p/800);else return;u.preventDefault()},l=u=>{u.button===0&&r.set(u.pointerId,u.clientX)},c=u=>{let p=r.get(u.pointerId);if(p===void 0)return;let $=[...r].filter(([f])=>f!==u.pointerId).map(([,f])=>f);if($.length){let f=Math.abs(p-$[0])/Math.max(8,Math.abs(u.clientX-$[0]));n.current.zoom(Math.min(2,Math.max(.5,f)),s((u.clientX+$[0])/2))}else if(Math.abs(u.clientX-p)>2)o.setPointerCapture(u.pointerId),n.current.pan((p-u.clientX)/o.getBoundingClientRect().width);else return;r.set(u.pointerId,u.clientX)},d=u=>{r.delete(u.pointerId)};o.addEventListener("wheel",a,{passive:!1}),o.addEventListener("pointerdown",l),o.addEventListener("pointermove",c);for(let u of["pointerup","pointercancel"])o.addEventListener(u,d);return()=>{o.removeEventListener("wheel",a),o.removeEventListener("pointerdown",l),o.removeEventListener("pointermove",c);for(let u of["pointerup","pointercancel"])o.removeEventListener(u,d)}},[])}var bt=216,jt=46,Hl=27,Ul=400,Kl=.7;function Vl({work:e,selected:t,onStep:n}){let[o,r]=Kn(),[s,a]=h(0),l=e.rows.filter(A=>A.kind==="step"&&A.depth===0),c=e.complete||e.rows.length>l.length,d=l.length>Ul;x(()=>{!c&&!d&&!e.problem&&e.more()});let u=d||!c?"":l.map(A=>`${A.id} ${(A.after||[]).join()}`).join("|"),p=Bo(jl),$=le(()=>p&&u&&r?j$(p,l,r):null,[p,u,r]),f=$?Math.min(1,Math.max(Kl,r/$.width)):1,g=s||f,b=le(()=>q$(l),[u,e.rows]),C=new Map(l.map(A=>[A.id,A]));return i`<div class="graph-view" ref=${o}>
    ${d?i`<${z} icon="graph" title=${`The plan has more than ${Ul} steps.`}>They are listed under Plan.</${z}>`:$?i`
    <div class="graph-tools"><span class="soft">${b.size>1?i`<span class="critical-key" aria-hidden="true" /> critical path`:null}</span>
      <span class="work-zoom"><${w} kind="ghost" icon="zoomout" label="Zoom out" onClick=${()=>a(Math.max(.25,g/1.3))} /><${w} kind="ghost" icon="zoomin" label="Zoom in" onClick=${()=>a(Math.min(2.5,g*1.3))} /><${w} kind="ghost" icon="fit" label="Fit" onClick=${()=>a(0)} disabled=${!s} /></span></div>
    <div class="graph" tabindex="0" role="region" aria-label="Graph of the plan">
      <svg width=${Math.ceil($.width*g)} height=${Math.ceil($.height*g)} viewBox=${`0 0 ${$.width} ${$.height}`} role="group" aria-label="Steps and what each comes after">
        <defs>
          <marker id="arrow" viewBox="0 0 8 8" refX="7" refY="4" markerUnits="userSpaceOnUse" markerWidth="9" markerHeight="9" orient="auto"><path class="edge-tip" d="M0 0L8 4 0 8z" /></marker>
        </defs>
        ${$.edges.map(A=>i`<path class=${ne("edge",b.has(A.from)&&b.get(A.from)===A.to&&"edge-critical")} d=${A.path} marker-end="url(#arrow)" />`)}
        ${$.nodes.map(({id:A,x:_,y:M})=>C.has(A)&&i`<${P$} key=${A} step=${C.get(A)} x=${_} y=${M} on=${t===A} critical=${b.has(A)} onStep=${n} />`)}
      </svg>
    </div>`:!c||u?i`<${U} what="Loading the steps" />`:i`<${z} icon="graph" title="Ad hoc: there is no plan to draw." />`}
  </div>`}function P$({step:e,x:t,y:n,on:o,critical:r,onStep:s}){let{tone:a,word:l}=At(e.state),c=xe(e.summary||e.id),d=c.length>Hl?`${c.slice(0,Hl-1).trimEnd()}…`:c,u=e.attempts||0,p=[l,Tr(e),u>1&&`${u} attempts`,e.cancellable==="irreversible"&&"irreversible"].filter(Boolean).join(", "),$=()=>s(e.id);return i`<g class=${ne("node",`tone-${a}`,e.state==="in_doubt"&&"node-doubt",e.state==="planned"&&"node-planned",o&&"node-on",r&&"node-critical")} role="button" tabindex="0" aria-label=${`${d} ${p}${r?", on the critical path":""}`} aria-pressed=${String(o)} onClick=${$} onKeyDown=${f=>(f.key==="Enter"||f.key===" ")&&(f.preventDefault(),$())}>
    <title>${c}</title>
    <rect x=${t-bt/2} y=${n-jt/2} width=${bt} height=${jt} rx="3" />
    <rect class="node-edge" x=${t-bt/2} y=${n-jt/2} width="4" height=${jt} rx="1" />
    <text class="node-title" x=${t-bt/2+14} y=${n-3}>${d}${" "}</text>
    <text class="node-state" x=${t-bt/2+14} y=${n+13}>${p}</text>
  </g>`}function j$(e,t,n){let o=Wl(e,t,!0);return n/o.width>=Kl?o:Wl(e,t,!1)}function Wl({Graph:e,layout:t},n,o){let r=new e;r.setGraph({rankdir:o?"LR":"TB",nodesep:18,ranksep:o?44:28,marginx:16,marginy:16}),r.setDefaultEdgeLabel(()=>({}));for(let l of n)r.setNode(l.id,{width:bt,height:jt});for(let[l,c]of Gl(n))r.hasNode(l)&&r.setEdge(l,c);t(r);let{width:s=0,height:a=0}=r.graph();return{width:Math.ceil(s),height:Math.ceil(a),nodes:r.nodes().map(l=>({id:l,...r.node(l)})),edges:r.edges().map(l=>({from:l.v,to:l.w,path:F$(r.node(l.v),r.node(l.w),r.edge(l).points.slice(1,-1),o)}))}}function Gl(e){return e.some(t=>t.after?.length)?e.flatMap(t=>(t.after||[]).map(n=>[n,t.id])):e.slice(1).map((t,n)=>[e[n].id,t.id])}function q$(e){let t=new Map;for(let[d,u]of Gl(e))t.set(u,[...t.get(u)||[],d]);let n=new Map(e.map(d=>[d.id,d])),o=new Map,r=new Set,s=d=>{if(o.has(d)||r.has(d))return;r.add(d);let u=(t.get(d)||[]).filter($=>n.has($));u.forEach(s);let p=u.reduce(($,f)=>(o.get(f)?.length??0)>(o.get($)?.length??-1)?f:$,"");o.set(d,{length:B$(n.get(d))+(o.get(p)?.length??0),from:p})};e.forEach(d=>s(d.id));let[a,l]=[...o].reduce((d,u)=>u[1].length>d[1].length?u:d,["",{length:0,from:""}]),c=new Map;for(let d=a,u="",p=l.from;d;[u,d,p]=[d,p,o.get(p)?.from??""])c.set(d,u);return c}function B$(e){return e.begun&&e.ended?Math.max(0,Date.parse(e.ended)-Date.parse(e.begun))/1e3:Number(e.estimate)||0}function F$(e,t,n,o){let[r,s]=o?[bt/2,0]:[0,jt/2],a={x:e.x+r,y:e.y+s},l={x:t.x-r,y:t.y-s},c=o?l.x-a.x>bt:l.y-a.y>jt,d=[a,...c?n:[],l];return d.slice(1).reduce((u,p,$)=>{let f=d[$],[g,b]=o?[(p.x-f.x)/2,0]:[0,(p.y-f.y)/2];return`${u}C${f.x+g} ${f.y+b} ${p.x-g} ${p.y-b} ${p.x} ${p.y}`},`M${a.x} ${a.y}`)}v();var z$=200,Jl=1e3,Yl=500;function Ql({order:e,only:t}){return t?{only:t}:e==="newest"?{newest_first:!0}:{order:e}}function Zl({read:e,wanted:t,by:n,version:o}){let[,r]=Ut(M=>M+1,0),s=I(Xl()).current,a=I({read:e,wanted:t});a.current={read:e,wanted:t};let l=async M=>{let{turn:E}=s;try{await M(E),E===s.turn&&(s.problem=null)}catch(F){E===s.turn&&(s.problem=F)}E===s.turn&&r(0)},c=async(M,E)=>{let F=E?s.pages[E-1].next:"",G=E?Jl:z$,O=await a.current.read({...Ql(a.current.wanted),limit:G,cursor:F});if(M!==s.turn)return;let P=s.pages[E];s.pages[E]={cursor:F,next:O.next_cursor||"",rows:O.rows,stale:!1},P&&P.next!==s.pages[E].next&&(s.pages.length=E+1),s.version+=1,s.complete=!s.pages[s.pages.length-1].next},d=async(M,E,F=!1)=>{let G=s.open.get(E.key),{rows:O,next:P}=F&&G?G:{rows:[],next:E.inside||""},N=F?O.length+Yl:Math.max(Yl,G?.rows.length||0),W=E.kind==="group"?Math.min(E.count||1,N):N,Q=E.kind==="group"?Ql(a.current.wanted):{step:E.id};do{let ee=await a.current.read({...Q,cursor:P,limit:Math.min(W-O.length,Jl),unfolded:!0});O=[...O,...ee.rows],P=ee.next_cursor||""}while(P&&O.length<W);M===s.turn&&s.open.has(E.key)&&s.open.set(E.key,{rows:O,next:P}),s.version+=1},u=be(()=>{s.loading||s.complete||!s.pages.length||(s.loading=!0,l(M=>c(M,s.pages.length)).finally(()=>{s.loading=!1,r(0)}))},[]),p=be(()=>{if(s.loading)return void(s.due=!0);s.loading=!0;let[M,E]=s.view;l(async F=>{let G=s.pages.map((O,P)=>P).filter(O=>O===0||O>=M&&O<=E||O===s.pages.length-1);for(let O of s.pages)O.stale=!0;for(let O of G)(s.pages[O]||!O)&&await c(F,O);s.pages.length||await c(F,0);for(let O of Vn(s).rows.filter(({depth:P,key:N})=>!P&&s.open.has(N)))await d(F,O)}).finally(()=>{s.loading=!1,s.due&&(s.due=!1,p()),r(0)})},[]),$=be((M,E)=>{s.view=[M,E],!s.loading&&s.pages.slice(M,E+1).some(F=>F.stale)&&p()},[]),f=be(M=>{s.open.delete(M.key)||(s.open.set(M.key,null),l(E=>d(E,M))),s.version+=1,r(0)},[]),g=be(M=>l(async E=>{let F=a.current.wanted.order==="newest"&&!a.current.wanted.only,G=()=>Vn(s).rows.some(O=>O.kind!=="group"&&(O.id===M.id||O.action_id===M.id));for(;E===s.turn&&!G()&&!s.complete&&s.pages.length&&!H$(Vn(s).rows,M,F);)await c(E,s.pages.length);for(let O of U$(Vn(s).rows,M)){let P=s.open.has(O.key);for(;E===s.turn&&!G();){let N=s.open.get(O.key);if(N&&(!N.next||N.rows.length>=(O.count||1/0)))break;N||s.open.set(O.key,null),await d(E,O,!!N)}if(G())return;P||s.open.delete(O.key)}s.version+=1}),[]),b=be(M=>{l(E=>d(E,M,!0))},[]);x(()=>(Object.assign(s,Xl()),r(0),p(),()=>{s.turn={}}),[n,t.order,t.only]);let C=I(o);x(()=>{C.current!==o&&(C.current=o,p())},[o]);let{rows:A,pageOf:_}=le(()=>Vn(s),[s.version,s.turn]);return{rows:A,pageOf:_,complete:s.complete,started:s.pages.length>0,problem:s.problem,open:s.open,more:u,see:$,toggle:f,further:b,reveal:g,retry:p}}var Xl=()=>({turn:{},pages:[],open:new Map,view:[0,0],loading:!1,due:!1,complete:!1,version:0,problem:null});function Vn({pages:e,open:t}){let n=[];e.forEach((s,a)=>{for(let l of s.rows){let c={...l,key:`${l.kind} ${l.id}`,depth:0},d=n.at(-1);d&&K$(d.row,c)?d.row=V$(d.row,c):n.push({row:c,page:a})}});let o=[],r=[];for(let{row:s,page:a}of n)for(let l of W$(s,t.get(s.key)))o.push(l),r.push(a);return{rows:o,pageOf:r}}function H$(e,t,n){let o=Date.parse(t.begun||"");return e.some(r=>r.kind==="step"?r.id===t.step:n?Date.parse(r.begun||"")<o:Date.parse(r.begun||"")>o)}function U$(e,t){let n=Date.parse(t.begun||""),o=e.filter(a=>a.kind==="step"&&a.id===t.step),r=e.filter(a=>a.kind==="group"&&(!a.tool||a.tool===t.tool)&&(a.step||"")===(t.step||"")&&a.actor===t.actor),s=a=>Math.abs(n-Date.parse(a.begun||""));return[...o,...r.toSorted((a,l)=>s(a)-s(l))]}function W$(e,t){if(!t)return[e];let n=t.rows.length,o=e.kind==="group"?(e.count||0)>n:!!t.next,r=t.rows.map(s=>({...s,key:`${e.key} ${s.id}`,depth:1}));return o?[{...e,shown:n},...r,{kind:"rest",id:"",state:"",key:`${e.key} rest`,depth:1,count:e.count,shown:n,of:e}]:[e,...r]}function K$(e,t){return e.kind==="group"&&t.kind==="group"&&e.tool===t.tool&&e.step===t.step&&e.actor===t.actor&&!!(e.tool||e.actor_kind==="sub-agent")}function V$(e,t){let n={...e.states};for(let[r,s]of Object.entries(t.states||{}))n[r]=(n[r]||0)+s;let o=n.failed?"failed":e.state;return{...e,state:o,states:n,count:(e.count||0)+(t.count||0),ended:t.ended||e.ended,error:e.error||t.error}}v();Ve();B();var Cr=[1,2,5,10,20,50,100,200,500,1e3,2e3,5e3,1e4,15e3,3e4,6e4,12e4,3e5,6e5,9e5,18e5,36e5,72e5,144e5,216e5,432e5,864e5,1728e5,6048e5];function ec(e){let t=G$(e);if(!t.length)return[{from:0,to:1e3,at:0,size:1e3,gap:!1}];let n=t.reduce((d,u)=>d+u.to-u.from,0),o=Math.max(3e4,.06*n),r=Math.max(.03*n,2e3),s=[],a=0,l=(d,u,p)=>{let $=p?r:u-d;s.push({from:d,to:u,at:a,size:$,gap:p}),a+=$},c=t[0].from;return t.forEach((d,u)=>{let p=t[u+1];p&&p.from-d.to<=o||(l(c,Math.max(d.to,c+1),!1),p&&(l(d.to,p.from,!0),c=p.from))}),s}function G$(e){let t=[...e].sort((o,r)=>o.from-r.from),n=[];for(let o of t){let r=n[n.length-1];r&&o.from<=r.to?r.to=Math.max(r.to,o.to):n.push({...o})}return n}function Fo(e,t){let n=0,o=e.length-1;for(;n<o;){let a=n+o+1>>1;e[a].from<=t?n=a:o=a-1}let r=e[n],s=(t-r.from)/Math.max(1,r.to-r.from);return r.at+Math.max(0,Math.min(1,s))*r.size}var tc=e=>e[e.length-1].at+e[e.length-1].size;function nc(e,t,n,o,r){let s=1/Math.max(1e-9,t(1)-t(0)),a=Cr.find(c=>c>=o*s)||Cr[Cr.length-1],l=[];for(let c of e){if(c.gap||c.at>n.to||c.at+c.size<n.from)continue;let d=Math.max(c.from,c.from+(n.from-c.at)),u=Math.min(c.to,c.from+(n.to-c.at));for(let p=Math.ceil((d+r)/a)*a-r;p<=u;p+=a)l.push({time:p,x:t(c.at+p-c.from)})}return{step:a,marks:l}}var sc=44,J$=60,Y$=16,Q$=620,oc=5e3,X$=2e4,Z$=20,em=84;function rc({work:e,execution:t,selected:n="",row_actions:o,onSelect:r,empty:s}){let{rows:a,complete:l,open:c}=e,[d,u]=Kn(),p=u>0&&u<Q$,$=(p?J$+(o?Y$:0):sc)+(me("density")==="comfortable"?8:0),{scale:f,edge:g}=tm(a,t,l),b=Fl(tc(f)),{view:C}=b,[A,_]=h(0),M=I([0,0]),E=I(null),F=q=>(Fo(f,q)-C.from)/(C.to-C.from),G=q=>nm(q,F,g),O=be((q,_e)=>{M.current=[q,_e],e.see(e.pageOf[q]??0,e.pageOf[Math.min(_e,e.pageOf.length)-1]??0)},[e.pageOf]);x(()=>{e.started&&!e.problem&&M.current[1]>=a.length-Z$&&e.more()});let P=()=>{let q=a.slice(...M.current).filter(ve=>ve.begun);if(!q.length)return;let _e=Math.min(...q.map(ve=>Fo(f,Date.parse(ve.begun)))),Xe=Math.max(...q.map(ve=>Fo(f,Ar(ve,g))));b.show({from:_e-(Xe-_e)*.02,to:Xe+(Xe-_e)*.02})},N=rm(d,a,_,e.toggle,{zoom:b,fitRows:P}),W=q=>q.of?e.further(q.of):q.kind==="group"?e.toggle(q):r(q),Q=Math.min(A,a.length-1),ee=a.findIndex(q=>n&&(Pt(q)===n||q.kind==="step"&&q.id===n));return x(()=>{ee>=0&&_(ee)},[ee]),i`<div class=${ne("waterfall",p&&"waterfall-narrow",o&&"waterfall-acting")} ref=${d} data-testid="waterfall" onKeyDown=${N}>
    <${R} problem=${e.problem} retry=${e.retry} />
    ${e.started?!a.length&&l?s||i`<${z} icon="timeline" title="No actions yet.">Actions appear here as soon as they begin.</${z}>`:i`
      <${Rt}
        label="Steps and actions"
        outer="table"
        role="rowgroup"
        rows=${a}
        height=${$}
        selected=${ee}
        onRange=${O}
        head=${i`<div class="work-head" role="rowgroup"><div class="work-row work-head-row" role="row">
          <span role="columnheader" class="work-what">what</span><span role="columnheader" class="work-state">state</span><span role="columnheader" class="work-actions"><span class="visually-hidden">what to do</span></span><span role="columnheader" class="work-took">took</span>
          <div role="columnheader" class="work-chart" ref=${E}><span class="visually-hidden">when</span><${om} scale=${f} view=${C} share=${F} zoom=${b} /></div>
        </div></div>`}
        row=${(q,_e)=>i`<${Nl} key=${q.key} row=${q} index=${_e} height=${$} place=${G(q)} on=${_e===ee} focusable=${_e===Q} unfolded=${c.has(q.key)} loading=${c.get(q.key)===null} row_actions=${o} onSelect=${W} onToggle=${e.toggle} />`}
      />
      <div class="work-foot">
        <span class="soft" role="status">${a.length}${l?"":"+"} row${a.length===1?"":"s"}</span>
        <span class="work-zoom">
          <${w} kind="ghost" icon="table" label="Zoom to the rows in view" onClick=${P} />
          <${w} kind="ghost" icon="zoomout" label="Zoom out" onClick=${()=>b.zoom(1.6)} disabled=${!b.zoomed} />
          <${w} kind="ghost" icon="zoomin" label="Zoom in" onClick=${()=>b.zoom(.6)} />
          <${w} kind="ghost" icon="fit" label="Show all" onClick=${b.fit} disabled=${!b.zoomed} />
        </span>
      </div>`:i`<${U} what="Loading" />`}
  </div>`}function tm(e,t,n){let o=we(),r=Date.parse(t.interrupted||t.last||t.started)||o,a=!t.ended&&!t.interrupted?Math.min(Math.max(r,Math.ceil(o/oc)*oc),r+X$):r;return{scale:le(()=>{let c=e.filter(p=>p.begun).map(p=>({from:Date.parse(p.begun),to:Ar(p,a)})),d=Math.max(a,...c.map(p=>p.to).slice(-1)),u=n||!c.length?d:c[c.length-1].to;return ec([...c,{from:Math.min(u,d),to:d}])},[e,a,n]),edge:a}}function Ar(e,t){let n=Date.parse(e.begun),o=e.ended||e.lost;return Math.max(n,o?Date.parse(o):t)}function nm(e,t,n){if(!e.begun)return null;let o=t(Date.parse(e.begun)),r=t(Ar(e,n));if(r<0||o>1)return null;let s=Math.max(0,Math.min(o,1));return{left:s,width:Math.max(0,Math.min(r,1)-s),open:!e.ended&&!e.lost}}function om({scale:e,view:t,share:n,zoom:o}){let[r,s]=Kn();zl(r,o);let l=me("zone")==="utc"?0:-new Date().getTimezoneOffset()*6e4,c=p=>(p-t.from)/(t.to-t.from)*s,{step:d,marks:u}=s?nc(e,c,t,em,l):{step:0,marks:[]};return i`<div class="work-axis" ref=${r} aria-hidden="true" title="Drag to move, Ctrl and wheel to zoom">
    ${e.filter(p=>p.gap&&p.at+p.size>t.from&&p.at<t.to).map(p=>{let $=ue(p.to-p.from,1);return i`<span class="work-gap" title=${`${$} without entries`} style=${{left:`${c(p.at)}px`,width:`${c(p.at+p.size)-c(p.at)}px`}}><span>${$}</span></span>`})}
    ${u.map(({time:p,x:$})=>i`<span class="work-tick" style=${{left:`${Math.round($)}px`}}>${sm(p,d)}</span>`)}
  </div>`}function sm(e,t){let n={hour:"2-digit",minute:"2-digit"};return t<6e4&&(n.second="2-digit"),t<1e3&&(n.fractionalSecondDigits=3),t>=432e5&&Object.assign(n,{day:"numeric",month:"short"}),new Date(e).toLocaleTimeString("en-GB",{...n,timeZone:Ao("zone")==="utc"?"UTC":void 0})}function rm(e,t,n,o,{zoom:r,fitRows:s}){let a=I("");return ke(()=>{if(!a.current)return;let l=e.current?.querySelector(`[data-row="${CSS.escape(a.current)}"] [data-focus]`);l&&(a.current="",l.focus({preventScroll:!0}),l.scrollIntoView({block:"nearest"}))}),l=>{let c=l.target;if(!c.matches("[data-focus], .work-fold, .virtual"))return;let d=t.findIndex(C=>C.key===c.closest("[data-row]")?.getAttribute("data-row")),u=C=>{let A=Math.min(Math.max(C,0),t.length-1),_=e.current.querySelector(".virtual"),M=_.querySelector("[data-row]")?.offsetHeight||sc,E=_.clientHeight-M;A*M<_.scrollTop?_.scrollTop=A*M:A*M>_.scrollTop+E-M&&(_.scrollTop=A*M-E+M),a.current=t[A]?.key||"",n(A)},p=t[d],$=p&&Er(p),f=c.closest("[data-row]")?.querySelector("[aria-expanded]")?.getAttribute("aria-expanded")==="true",b={ArrowDown:()=>u(d+1),ArrowUp:()=>u(d-1),Home:()=>u(0),End:()=>u(t.length-1),"+":()=>r.zoom(.6),"-":()=>r.zoom(1.6),0:r.fit,z:s,...$&&!f&&{ArrowRight:()=>o(p)},...$&&f&&{ArrowLeft:()=>o(p)}}[l.key];!b||l.ctrlKey||l.metaKey||l.altKey||(b(),l.preventDefault(),l.stopPropagation())}}var im=80,am=60,lm=["session_ended","body_erased"],cm={done:"done",failed:"failed",in_doubt:"in doubt",unplanned:"unplanned",open:"under way"};function ic({status:e,query:t,chosen:n,select:o,row_actions:r}){let{execution:s}=e,a=!!s.plan_id,l=t.get("view")||(a?"plan":"time"),c=t.get("only")||"",d=be(b=>S(`/v1/executions/${encodeURIComponent(s.id)}/work`,b),[s.id]),p=Zl({read:d,wanted:{order:l==="graph"?"plan":l,only:c},by:s.id,version:dm(s.id)}),$=async()=>{let{rows:b}=await d({only:"failed",limit:1,unfolded:!0});b.length&&(o({action:b[0].id}),!(c&&c!=="failed")&&(await p.reveal(b[0]),ac()))};fe("Work",{e:{label:"go to the first failure",run:()=>{$()}}});let f=[["plan","Plan"],["time","Time"],["newest","Newest first"],["graph","Graph"]],g=cm[c];return i`<section class="panel panel-flush work-panel" aria-label="Work">
    <div class="work-tools">
      <${ie} label="View" value=${c?"":l} choices=${a?f:f.slice(1,3)} onChange=${b=>X({view:b,only:""})} />
      ${Sr(s)>0&&i`<${w} icon="first" onClick=${$}>First failure</${w}>`}
      ${g&&i`<${w} icon="close" onClick=${()=>X({only:""})}>Only ${g}</${w}>`}
    </div>
    ${l==="graph"&&!c?i`<${Vl} work=${p} selected=${n.step} onStep=${b=>o({step:b})} />`:i`<${rc}
          work=${p}
          execution=${s}
          selected=${n.action||n.step}
          row_actions=${r}
          onSelect=${b=>o(Pt(b)?{action:Pt(b)}:{step:b.id})}
          empty=${g&&i`<${z} title=${`No actions are ${g}.`} />`}
        />`}
  </section>`}function ac(e=am){requestAnimationFrame(()=>{let t=document.querySelector(".work-on");t?t.scrollIntoView({block:"nearest"}):e&&ac(e-1)})}function dm(e){let[t,n]=h(0),o=I(0);return Ie(r=>{r&&r.execution_id!==e&&!lm.includes(r.kind)||(o.current||=setTimeout(()=>(o.current=0,n(s=>s+1)),im))}),t}v();Or();v();oe();Ae();Ve();B();K();v();Z();var uc=100,pc=1e3,fc=6e4,mm=240,hm=40,gm=300;function $c(e){let[t,n]=h({entries:[],complete:!1,problem:null}),[o,r]=h(0),s=I({entries:[],last:0,busy:!1,due:!1,stop:!1,timer:0}),a=async l=>{let c=s.current;if(c.busy){c.due=!0;return}c.busy=!0;let d=performance.now(),u=p=>{d=performance.now(),n({entries:c.entries,complete:p,problem:null})};try{let p=!0;do{c.due=!1;let $=await S("/v1/entries",{execution_id:e,after:c.last,limit:c.last?pc:uc});if(c.stop)return;$.entries.length&&(c.entries=c.entries.concat($.entries.map(bm))),c.last=$.entries.length?$.entries[$.entries.length-1].seq:c.last,!$.entries.length&&$.more&&(c.last=$.last_seq),p=$.more,(c.entries.length<=uc||performance.now()-d>gm)&&u(!p)}while(p&&c.entries.length<l||c.due);u(!p)}catch(p){c.stop||n($=>({...$,problem:p}))}finally{c.busy=!1}};return x(()=>{s.current={entries:[],last:0,busy:!1,due:!1,stop:!1,timer:0};let l=s.current;return a(fc),()=>{l.stop=!0,clearTimeout(l.timer)}},[e,o]),Ie(l=>{if(l?.kind==="body_erased"&&r(d=>d+1),l&&l.execution_id!==e)return;let c=s.current;clearTimeout(c.timer),c.timer=setTimeout(()=>a(fc),hm)}),{...t,more:()=>{!t.complete&&a(s.current.entries.length+pc)}}}function bm(e){let{facts:t={},body:n}=e,o=n&&typeof n=="object"?n:{},r=t.channel==="client"?"in a client that could have answered by itself ":"",s=o.error||o.summary||o.title||o.why||o.question||o.reason||o.answer||t.key||t.event||t.reason||t.problem||"";return{seq:e.seq,kind:e.kind,at:e.at,id:e.id,actor:t.credential||e.actor,witness:e.witness,word:t.decision||t.verdict||t.status||t.event||"",tool:t.tool||"",text:`${r}${s}`.slice(0,mm),outcome:t.outcome||(e.kind==="action_doubted"?"in_doubt":""),undo:t.action_kind==="undo",behind:e.behind||0}}var ym={ok:"ok",failed:"failed",skipped:"skipped",unknown:"in_doubt",in_doubt:"in_doubt"},xm=new Set(["failed","in_doubt"]),zo=class e{constructor(t){this.paired=t,this.first=void 0,this.all=[],this.indexBySeq=new Map,this.taken=0,this.begun=new Map}take(t){for(t[0]!==this.first&&Object.assign(this,new e(this.paired),{first:t[0]});this.taken<t.length;this.taken++)this.add(t[this.taken]);return this.all}add(t){let o=this.paired&&(t.kind==="action_ended"||t.kind==="action_doubted")?this.begun.get(t.id):void 0;if(o!==void 0){this.all[o]={...this.all[o],end:t,state:mc(t)},this.indexBySeq.set(t.seq,o);return}this.paired&&t.kind==="action_begun"&&this.begun.set(t.id,this.all.length),this.indexBySeq.set(t.seq,this.all.length),this.all.push({entry:t,end:null,state:mc(t)})}};function Gn(e,t){return(e.end||e.entry.kind==="action_begun")&&t.get(e.entry.id)||e.state}function mc(e){return ym[e.outcome]||""}var hc=(e,t)=>xm.has(Gn(e,t))||e.entry.kind==="decision_recorded";function gc(e){let t=new Map;return e.forEach((n,o)=>{t.set(n.entry.seq,o),n.end&&t.set(n.end.seq,o)}),t}K();v();var _m=/[\p{L}\p{N}]/u,wm=5e3;function bc(e,t,n){let[o,r]=h({seqs:[],done:!0,more:!1,problem:null});return x(()=>{let s=new AbortController,a=async()=>{let l=[],c=0,d=!0;for(;d&&l.length<wm;){let u=await S("/v1/entries",{execution_id:e,text:t,after:c,limit:1e3},{signal:s.signal});if(l=l.concat(u.entries.map(p=>p.seq)),u.last_seq<=c)break;c=u.last_seq,d=u.more}r({seqs:l,done:!0,more:d,problem:null})};return _m.test(t)?(r(l=>({...l,done:!1})),a().catch(l=>l.name!=="AbortError"&&r({seqs:[],done:!0,more:!1,problem:l}))):r({seqs:[],done:!0,more:!1,problem:null}),()=>s.abort()},[e,t,n]),o}function yc(e,t){let n=t.split(/\s+/).map(r=>r.replace(/[^\p{L}\p{N}_-]/gu,"")).filter(r=>r.length>1);if(!n.length)return[{text:e,hit:!1}];let o=new RegExp(`(${n.join("|")})`,"giu");return e.split(o).filter(Boolean).map(r=>({text:r,hit:n.some(s=>s.toLowerCase()===r.toLowerCase())}))}var vm={decision_recorded:"claimed",approval_requested:"blocked",approval_decided:"completed",context_recorded:"context",execution_started:"running",execution_ended:"completed",action_noted:"edit",session_noted:"agent",body_erased:"close",unreadable:"warning"};function xc({execution:e,selected:t,action:n,onEntry:o,onAction:r}){let{lines:s}=cc(e),{entries:a,complete:l,problem:c,more:d}=$c(e),[u,p]=h("compact"),[$,f]=h("all"),[g,b]=h(!1),[C,A]=h(""),_=bc(e,C,l?a.length:0),M=u==="compact",E=le(()=>new Map(M?s.map(Y=>[Y.id,Y.state]):[]),[s,M]),F=le(()=>new zo(M),[a[0]?.seq,M]),G=le(()=>[...F.take(a)],[F,a]),O=le(()=>$==="all"?G:G.filter(Y=>hc(Y,E)),[G,$,E]),P=le(()=>$==="all"?F.indexBySeq:gc(O),[F,O,$]),[N,W]=h(0),Q=P.get(N)??-1,ee=I("");x(()=>{let Y=t||n?`${t} ${n}`:"";if(Y===ee.current)return;let je=t?P.get(t):O.findIndex(_p=>_p.entry.id===n);Y&&(je===void 0||je<0)||(ee.current=Y,Y&&W(O[je].entry.seq))},[t,n,O]);let q=Y=>Y.entry.id.startsWith("ac_")&&M?r(Y.entry.id):o(Y.entry.seq),_e=Y=>O[Y]&&(b(!1),W(O[Y].entry.seq)),Xe=le(()=>O.findIndex(Y=>Gn(Y,E)==="failed"),[O,E]),ve=le(()=>[...new Set(_.seqs.map(Y=>P.get(Y)))].filter(Y=>Y!==void 0),[_.seqs,O]),yt=le(()=>new Set(ve),[ve]),ot=ve.findIndex(Y=>Y===Q),J=Y=>ve.length&&_e(ve[ot<0?Y>0?Math.max(0,ve.findIndex(je=>je>Q)):ve.length-1:(ot+Y+ve.length)%ve.length]);fe("Journal",{j:{label:"next entry",run:()=>_e(Q+1)},k:{label:"previous entry",run:()=>_e(Q-1)},Enter:{label:"open the entry",run:()=>O[Q]&&q(O[Q])},f:{label:"follow",run:()=>b(!g)},e:{label:"go to the first failure",run:()=>_e(Xe)},n:{label:"next match",run:()=>J(1)},N:{label:"previous match",run:()=>J(-1)}});let xt=I(Y=>{});xt.current=Y=>(W(Y.entry.seq),q(Y));let gn=me("density")==="comfortable"?40:30;return c&&!a.length?i`<${R} problem=${c} />`:a.length?i`<div class="journal">
    <div class="journal-tools">
      <${Ke} label="Search this journal" value=${C} onChange=${A} onEnter=${()=>J(1)} placeholder="Search all entries">
        ${C&&i`<span class="journal-count" role="status">${_.done?`${ot>=0?`${ot+1} of `:""}${ve.length}${_.more?"+":""} in ${_.seqs.length}${_.more?"+":""} entries`:"…"}</span>
          <${w} kind="ghost" icon="up" label="Previous match" onClick=${()=>J(-1)} /><${w} kind="ghost" icon="down" label="Next match" onClick=${()=>J(1)} />`}
      </${Ke}>
      <${ie} label="Entries" value=${u} choices=${[["compact","Compact"],["full","Full"]]} onChange=${p} />
      <${ie} label="Which" value=${$} choices=${[["all","All"],["problems","Problems and decisions"]]} onChange=${f} />
      <span class="journal-end">
        <${w} icon="first" disabled=${Xe<0} onClick=${()=>_e(Xe)}>First failure</${w}>
        <${w} icon="follow" pressed=${g} onClick=${()=>b(!g)}>Follow</${w}>
        <span class="soft num">${O.length} rows, ${a.length}${l?"":"…"} entries</span>
      </span>
    </div>
    <${R} problem=${c||_.problem} />
    <div class="journal-list panel">
      <${Rt}
        label="Journal"
        rows=${O}
        height=${gn}
        selected=${Q}
        atEnd=${g}
        onEnd=${Y=>g&&!Y&&b(!1)}
        onNear=${d}
        looks=${(Y,je)=>[je,gn,je===Q,yt.has(je),Gn(Y,E),C].join(" ")}
        row=${(Y,je)=>i`<${km} key=${Y.entry.seq} row=${Y} state=${Gn(Y,E)} height=${gn} on=${je===Q} hit=${yt.has(je)} search=${C} onOpen=${()=>xt.current(Y)} />`}
      />
    </div>
  </div>`:l?i`<${z} title="No entries." />`:i`<${U} what="Loading the journal" />`}function km({row:e,state:t,height:n,on:o,hit:r,search:s,onOpen:a}){let{entry:l,end:c}=e,d=c?.text&&t==="failed"?`${l.text?`${l.text}: `:""}${c.text}`:l.text||c?.text||(l.tool?"":l.id),u=vm[l.kind],p=l.behind||c?.behind;return i`<div class=${ne("line",o&&"line-on",r&&"line-hit",t&&`line-${t}`)} role="listitem" style=${{height:`${n}px`}}>
    <span class="num faint">${l.seq}${c?i`<span class="line-pair">–${c.seq}</span>`:null}</span>
    <${L} at=${l.at} form="absolute" />
    <span class="line-state">${t?i`<${V} state=${t} quiet />`:i`<span class="line-kind">${u&&i`<${k} name=${u} />`}${l.word||Un(l.kind)}</span>`}</span>
    <button type="button" class="line-what cut" aria-pressed=${String(o)} onClick=${a}>
      ${p?i`<span class="soft">(clock ${ue(p*1e3)} behind) </span>`:null}${l.undo&&i`<strong>undo </strong>`}${l.tool?i`<code><${m} text=${l.tool} /></code> `:t||!l.word?null:i`<span class="soft">${Un(l.kind)} </span>`}
      ${s?yc(d,s).map($=>$.hit?i`<mark><${m} text=${$.text} /></mark>`:i`<${m} text=${$.text} />`):i`<${m} text=${d} />`}
    </button>
    <span class="line-who cut"><${m} text=${l.actor} /></span>
    <span class="line-witness"><${Ze} witness=${l.witness} /></span>
    <span class="num line-took">${c&&t!=="in_doubt"?ue(Date.parse(c.at)-Date.parse(l.at)):""}</span>
  </div>`}Ae();Z();H();var Sm=8,_c=()=>`tallystick.recent.${te()}`;function Ir(){try{let e=JSON.parse(localStorage.getItem(_c())||"[]");return Array.isArray(e)?e.filter(t=>typeof t?.path=="string"&&t.path.startsWith("/")&&!t.path.startsWith("//")&&typeof t.title=="string"):[]}catch{return[]}}function wc(e){let t=location.pathname,n=Ir().filter(o=>o.path!==t);localStorage.setItem(_c(),JSON.stringify([{path:t,title:e},...n].slice(0,Sm)))}var Nr=99,Lr="Tallystick",qt=0;function Ho(e,t=!1){t&&wc(e),Lr=e==="Tallystick"?e:`${e} · Tallystick`,kc()}function vc(e){if(e===qt)return;qt=e,kc();let t=document.querySelector("link[rel=icon]");t&&(t.href=qt?`/favicon.ico?waiting=${Math.min(qt,Nr+1)}`:"/static/favicon.svg")}function kc(){document.title=qt?`(${Em()}) ${Lr}`:Lr}var Em=()=>qt>Nr?`${Nr}+`:String(qt);H();B();var Tm=1e4,Mm=["not_undone","undoing","in_doubt","failed"];function Cm({id:e,query:t}){let{data:n,problem:o,reload:r}=D({by:[e],execution:e},u=>S(`/v1/executions/${encodeURIComponent(e)}/status`,{limit:Tm},{signal:u}));x(()=>{n&&Ho(xe(n.execution.title||e),!0)},[n?.execution.title]);let s=yl(n?.execution??{id:e}),a=t.get("tab")||"work";if(Om(e,a),!n)return i`<div class="page"><h1 class="visually-hidden">${e}</h1>${o?i`<${R} problem=${o} retry=${r} />`:i`<${U} what="Loading the execution" />`}</div>`;let l={action:t.get("action")||"",step:t.get("step")||"",entry:t.get("entry")||""},c=u=>X({action:"",step:"",entry:"",...u}),d=!!(l.action||l.step||l.entry);return i`<${vr} value=${s}><div class="page x-page">
    <${Ol} status=${n} query=${t} />
    <${R} problem=${o} retry=${r} />
    <${Ln} label="Views of this execution" value=${a} tabs=${Am(n)} href=${u=>Sc(e,u)} />
    <div class=${ne("x-body",d&&"x-detailed",`x-tab-${a}`)}>
      <div class="x-main"><${Im} tab=${a} status=${n} query=${t} chosen=${l} select=${c} /></div>
      ${d&&i`<${kl} execution=${e} status=${n.execution.status} ...${l} steps=${n.steps||[]} onClose=${()=>c({})} onAction=${u=>c({action:u})} />`}
    </div>
  </div></${vr}>`}var ln=[["work","Work"],["journal","Journal"],["undo","Undo list"],["doubt","In doubt"],["context","Context"],["coverage","Coverage"]],Sc=(e,t)=>y(`/x/${e}`,{tab:t===ln[0][0]?"":t});function Am(e){let{owed:t,in_doubt:n,undo_states:o={}}=e.execution,s={undo:Mm.reduce((l,c)=>l+Number(o[c]||0),0),doubt:n},a={undo:t?"undo":"plain",doubt:"doubt"};return ln.map(([l,c])=>({id:l,title:c,count:s[l],tone:a[l]}))}function Om(e,t){let n=ln.findIndex(([r])=>r===t),o=r=>ce(Sc(e,ln[(n+r+ln.length)%ln.length][0]));fe("Execution",{"]":{label:"next view",run:()=>o(1)},"[":{label:"previous view",run:()=>o(-1)},u:{label:"back to all executions",run:()=>ce("/executions")}})}function Im({tab:e,status:t,query:n,chosen:o,select:r}){let s=t.execution,a=l=>r({action:l});return e==="journal"?i`<${xc} execution=${s.id} selected=${Number(o.entry)||0} action=${o.action} onEntry=${l=>r({entry:l})} onAction=${a} />`:e==="undo"?i`<${Pl} execution=${s.id} onAction=${a} />`:e==="doubt"?i`<${Sl} execution=${s.id} onAction=${a} />`:e==="context"?i`<${tl} execution=${s.id} task=${s.task_id||""} />`:e==="coverage"?i`<${nl} coverage=${t.coverage} />`:i`<${ic} status=${t} query=${n} chosen=${o} select=${r} row_actions=${Ll(s)} />`}var Gr={};Ce(Gr,{Page:()=>xh});K();jr();Ko();K();Ko();v();Z();H();var Pm={m:6e4,h:36e5,d:864e5,w:6048e5},jm=20,qm=8;function Qn(e,t=Date.now()){let n=e.trim().toLowerCase();if(n==="today")return{since:dn(Yn(t,0,0))};if(n==="yesterday")return{since:dn(Yn(t,-1,0)),until:dn(Yn(t,0,0))};if(n==="last night"){let r=Yn(t,0,qm);return{since:dn(Yn(t,-1,jm)),...r<t?{until:dn(r)}:{}}}let o=/^(\d{1,6})\s*([mhdw])$/.exec(n);return o?{since:dn(t-Number(o[1])*Pm[o[2]])}:null}function Yn(e,t,n){let o=new Date(e);return new Date(o.getFullYear(),o.getMonth(),o.getDate()+t,n).getTime()}var dn=e=>new Date(e).toISOString();B();function Bm(e){try{let t=JSON.parse(localStorage.getItem(Rc(e))||"null");return Number.isFinite(t?.since)&&Number.isFinite(t?.until)?t:null}catch{return null}}var Rc=e=>`tallystick.looked.${e}`;function Vo(e){let t=Date.now(),n=Bm(e),o=n?t-n.until<6e5?n.since:n.until:0;return localStorage.setItem(Rc(e),JSON.stringify({since:o,until:t})),o}function Dc(e,t){let n=()=>document.hidden||Vo(e),o=()=>!document.hidden&&t(),r=setInterval(n,6e4);return document.addEventListener("visibilitychange",o),()=>(clearInterval(r),document.removeEventListener("visibilitychange",o))}var Fm=12,zm=500,Hm=[["look","Since you last looked"],["24h","24 hours"],["last night","Last night"],["7d","7 days"]],Um={look:"Since you last looked","24h":"The last 24 hours","last night":"Last night","7d":"The last 7 days"},Wm=["execution_started","execution_ended","decision_recorded"],Km=[["failed","failed","failed"],["completed","finished","ok"],["cancelled","cancelled","idle"],["closed","closed","idle"],["started","started","running"]];function Pc({range:e,all:t}){let[n,o]=h(()=>Vo(te()));x(()=>Dc(te(),()=>o(Vo(te()))),[]);let r=e||(n?"look":"24h"),s=r==="look"?{since:new Date(n).toISOString()}:Qn(r)??{since:"24h"},a=D({by:[te(),r,n,t],kinds:Wm},c=>S("/v1/activity",{...s,limit:t?zm:Fm},{signal:c})),l=a.data;return i`<section class="home-activity" aria-labelledby="happened">
    <header class="page-head">
      <h2 id="happened">${Um[r]??r}</h2>
      ${l&&i`<${Vm} since=${l.since} until=${l.until} />`}
      <div class="page-head-end"><${ie} label="Range" value=${r} choices=${Hm} onChange=${c=>X({range:c==="look"?"":c,all:""},{replace:!0})} /></div>
    </header>
    <${R} problem=${a.problem} retry=${a.reload} />
    ${l?i`<${Gm} data=${l} all=${t} />`:!a.problem&&i`<${U} />`}
  </section>`}function Vm({since:e,until:t}){let n=nt(),o=we(),r=o-Date.parse(t)<6e4;return i`<p class="soft">${Lt(e,n)} – ${r?"now":Lt(t,n)}${r?` (${ue(o-Date.parse(e),1)})`:""}</p>`}function Gm({data:e,all:t}){let n=e.agents??[],o=e.executions??[];return n.length?i`<ul class="home-agents" aria-label="By agent">
      ${n.map(r=>i`<li key=${r.actor}>
        <strong class="cut"><${m} text=${r.actor} /></strong>
        <span>${Km.filter(([s])=>r[s]).map(([s,a,l],c)=>i`${c?", ":""}<span class=${`count-${l}`}>${r[s]} ${a}</span>`)}</span>
      </li>`)}
    </ul>
    <div class="panel home-rows" role="list" aria-label="Executions">
      ${o.map((r,s)=>i`<${cn} key=${r.id} row=${r} index=${`happened-${s}`} selected=${!1} onFocus=${()=>{}} />`)}
    </div>
    ${e.more&&!t&&i`<p class="soft">There are more. <a href=${y(location.pathname+location.search,{all:1})}>Show all, those that failed first</a></p>`}
    ${(e.more&&t||e.whole===!1)&&i`<p class="soft">${e.more?`These are the first ${o.length}. `:"Older executions may have ended in this time. "}<a href=${y("/executions",{q:`since:${e.since} until:${e.until}`})}>Show all executions started in this time</a></p>`}`:i`<${j}><${z} icon="check" title="Nothing was started or finished." /><//>`}K();Jo();Yo();v();oe();Qo();Ae();Z();H();B();var Kr={question_waits:{word:"Question",many:"questions",tone:"waiting",icon:"blocked",button:"Answer"},undo_expires:{word:"Undo expires",many:"undos expire",tone:"undo",icon:"late",button:"Undo or keep"},in_doubt:{word:"In doubt",tone:"doubt",icon:"in_doubt",button:"Settle"},run_held:{word:"Step held",many:"steps held",tone:"doubt",icon:"paused",button:"Settle"},interrupted:{word:"Interrupted",tone:"doubt",icon:"warning",button:"Take up or end"},undo_left:{word:"Not undone",tone:"undo",icon:"owed",button:"Undo or keep"}},ph=100,fh={in_doubt:"doubt",run_held:"doubt",undo_expires:"undo",undo_left:"undo"},ed=(e,t)=>`${t} ${t>1&&Kr[e]?.many||(Kr[e]?.word??e).toLowerCase()}`;function td(e){return e.need==="question_waits"?y(`/approvals/${e.about}`):y(`/x/${e.execution_id}`,{tab:fh[e.need]??""})}function nd({items:e}){let[t,n]=h(-1),o=$h(e),r=s=>n(Math.max(0,Math.min(e.length-1,t+s)));return fe("Needs you",{j:{label:"next",run:()=>r(1)},k:{label:"previous",run:()=>r(-1)},Enter:{label:"open it",run:()=>e[t]&&ce(td(e[t]))}}),x(()=>{if(t<0)return;document.querySelector(`[data-need="${t}"] .need-link`)?.focus()},[t]),i`<ul class="needs panel" aria-label="What needs you">
    ${e.map((s,a)=>i`<${mh} key=${`${s.need}/${s.about}`} item=${s} question=${o.get(s.about)} index=${a} onFocus=${()=>n(a)} />`)}
  </ul>`}function $h(e){let t=e.filter(o=>o.need==="question_waits").map(o=>o.about),{data:n}=D({by:[t.length>0],kinds:["approval_"]},o=>t.length?S("/v1/approvals",{status:"pending",limit:ph},{signal:o}):Promise.resolve({approvals:[]}));return new Map((n?.approvals??[]).map(o=>[o.id,o]))}function mh({item:e,question:t,index:n,onFocus:o}){let{word:r,tone:s,icon:a,button:l}=Kr[e.need]??{word:e.need,tone:"plain",icon:"warning",button:"Open"},c=td(e);return i`<li class=${`need tone-${s}`} data-need=${n}>
    <span class="need-kind"><${se} tone=${s} icon=${a}>${r}</${se}></span>
    <div class="need-what">
      <a class="need-link" href=${c} onFocus=${o}><${m} text=${e.need==="question_waits"?t?.question||e.text:e.title||e.text} /></a>
      ${t&&Qe(t)&&i`<p class="need-call"><${m} text=${Go(t.tool||"",t.arguments)} /></p>`}
      <p class="need-text soft">
        ${e.need==="question_waits"?e.title&&i`<${m} text=${e.title} />`:e.title&&i`<${m} text=${e.text} />`}
        ${e.count>1&&i`<strong>, and ${e.count-1} more</strong>`}
      </p>
    </div>
    <div class="need-since">
      ${e.until?i`<${hh} until=${e.until} />`:i`<span><${L} at=${e.since} /></span>`}
      ${e.who&&i`<span class="need-who cut"><${m} text=${e.who} /></span>`}
    </div>
    <${Ne} class="need-button" href=${c} kind=${e.need==="question_waits"?"primary":"plain"} tabindex="-1" aria-label=${`${l}: ${xe(e.title||e.text)}`}>${l}</${Ne}>
  </li>`}function hh({until:e}){let{text:t,urgency:n}=Xn(e,we());return i`<span class="need-until" title=${e}><${k} name="late" size=${14} /> ${n==="over"?"too late":t}</span>`}K();v();Z();H();B();var gh=6e4,od={verify_failed:"Verification failed",hook_silent:"Hooks are silent",run_failed:"A run failed",tool_failing:"A tool fails more than usual",step_slow:"A step takes long"};function sd(){let{data:e,reload:t}=D({by:[te()],kinds:["alert_silenced","execution_ended"]},o=>S("/v1/alerts",{},{signal:o}));x(()=>{let o=setInterval(()=>document.hidden||t(),gh);return()=>clearInterval(o)},[]);let n=(e?.alerts??[]).filter(o=>o.rule in od&&!o.silenced);return n.length?i`<section aria-labelledby="watch">
    <header class="page-head"><h2 id="watch">Worth a look</h2><div class="page-head-end"><a href=${y("/alerts")}>All alerts</a></div></header>
    <ul class="needs panel" aria-label="Worth a look">
      ${n.map(o=>i`<li class="need" key=${`${o.rule}/${o.about}`}>
        <span class="need-kind"><${se} tone="failed" icon="warning">${od[o.rule]}</${se}></span>
        <div class="need-what">
          ${o.execution_id?i`<a class="need-link" href=${y(`/x/${o.execution_id}`)}><${m} text=${o.text} /></a>`:i`<span class="need-link"><${m} text=${o.text} /></span>`}
          <p class="need-text soft"><${m} text=${[o.title,o.to_do].filter(Boolean).join(" · ")} /></p>
        </div>
        <div class="need-since"><span><${L} at=${o.since} /></span></div>
      </li>`)}
    </ul>
  </section>`:null}v();oe();K();v();Z();H();var bh=["approval_","execution_","action_doubted","decision_recorded","session_opened","session_ended"],yh=1e4,rd=xn({data:null,problem:null,reload:()=>{}}),Vr=rd.Provider;function id(){let e=D({kinds:bh,by:[te()]},t=>S("/v1/inbox",{limit:50},{signal:t}));return x(()=>{let t=setInterval(()=>document.hidden||e.reload(),yh);return()=>clearInterval(t)},[]),x(()=>vc(Se()?0:Zn(e.data)),[e.data]),e}var Xo=()=>St(rd),Zn=e=>Object.values(e?.counts??{}).reduce((t,n)=>t+n,0);Z();H();B();function xh({query:e}){let{data:t,problem:n,reload:o}=Xo(),r=D({by:[te()],kinds:["execution_started"]},l=>S("/v1/executions",{limit:1},{signal:l})),s=e.has("q")||e.has("group")||Se();if(x(()=>{s&&ce(y("/executions",e),{replace:!0})},[s]),s)return null;if(r.data&&!r.data.executions.length)return i`<${Uo} />`;if(!t||!r.data)return i`<div class="page"><h1 class="visually-hidden">Home</h1>${n?i`<${R} problem=${n} retry=${o} />`:i`<${U} />`}</div>`;let a=Zn(t);return i`<div class="page home">
    <header class="page-head">
      <h1>${a?"Needs you":"Nothing needs you"}</h1>
      ${a>0&&i`<p class="home-counts soft">${_h(t.counts)}</p>`}
    </header>
    <${R} problem=${n} retry=${o} />
    ${a?i`<${nd} items=${t.items} />`:i`<p class="home-calm"><${k} name="completed" size=${20} /><span>No question waits, nothing is in doubt, and nothing is left to undo.</span></p>`}
    ${(t.items.length<a||t.more.length>0)&&i`<p class="soft">There are more: look at <a href=${y("/executions")}>all executions</a>.</p>`}
    <${wh} rows=${t.working} count=${t.working_count} />
    <${sd} />
    <${Pc} range=${e.get("range")||""} all=${e.has("all")} />
  </div>`}var _h=e=>Object.entries(e).map(([t,n])=>ed(t,n)).join(" · ");function wh({rows:e,count:t}){return i`<section aria-labelledby="working">
    <header class="page-head">
      <h2 id="working">${t?"Running now":"Nothing is running"}</h2>
      ${t>0&&i`<p class="soft">${t} ${t===1?"execution":"executions"}</p>`}
      <div class="page-head-end"><a href=${y("/executions")}>All executions</a></div>
    </header>
    ${t>0&&i`<div class="panel home-rows" role="list" aria-label="Running now">
      ${e.map((n,o)=>i`<${cn} key=${n.id} row=${n} index=${`working-${o}`} selected=${!1} onFocus=${()=>{}} />`)}
    </div>`}
    ${t>e.length&&i`<p class="soft"><a href=${y("/executions",{q:"only:working"})}>Show all that are running</a></p>`}
  </section>`}H();ze();Yr();Kt();v();oe();K();v();oe();H();qe();var kh="excerpt";function ud(){let[e,t]=h([]),n=Se()?te():"";if(x(()=>{n&&S("/v1/imports").then(s=>t(s.imports),()=>{})},[n]),!n)return null;let o=e.find(s=>s.journal===n),r=o&&!o.verified;return i`<p class=${`imported ${r?"imported-wrong":""}`} role="note">
    <${k} name=${r?"warning":"import"} />
    <span>This is an imported export${o&&o.of!==kh&&i` of <code><${m} text=${o.of} /></code>`}, not a journal of this server.
      ${r&&i`<strong> It does not verify: <${m} text=${o.problem.replace(/\.$/,"")} />. Do not rely on it.</strong>`}</span>
  </p>`}Dn();Ae();Z();H();K();v();oe();H();B();H();var Zo={recent:["Recent","late"],page:["Pages","table"],execution:["Executions","executions"],plan:["Plans","plans"],approval:["Approvals","approvals"],action:["Actions","running"],decision:["Decisions","check"],context:["Context","context"],person:["People and agents","person"],tool:["Tools","settings"]},Sh=e=>/\s/.test(e)?`"${e}"`:e;function Qr(e){let{kind:t,id:n}=e;return e.path?y(e.path):t==="execution"?y(`/x/${n}`):t==="plan"?y(`/plans/${n}`):t==="approval"?y(`/approvals/${n}`):t==="action"?y(`/x/${e.execution_id}`,{action:n}):t==="decision"?y(`/x/${e.execution_id}`,{tab:"journal"}):t==="context"?y("/context",{text:n.split(" ").slice(1).join(" ")}):y("/executions",{q:`${t==="person"?"agent":"tool"}:${Sh(n)}`})}var Eh=/\b(since|until):(?:"([^"]*)"|(\S+))/gi,Th=/(?<![^\W_])(today|yesterday|last night)(?![^\W_])/gi;function pd(e){let t={},n=e.replace(Eh,(o,r,s,a)=>{let l=s??a,c=Qn(l);return r.toLowerCase()==="since"?t={...t,...c??{since:l}}:t={...t,until:c?.until??c?.since??l}," "});return n=n.replace(Th,(o,r)=>(t={...t,...Qn(r)}," ")),{text:n.trim().replaceAll(/\s+/g," "),...t}}var Mh=150,Ch=/^(ex|pl|ap)_[a-z0-9]+$/,Ah={ex:{kind:"execution",path:"executions",titleOf:e=>e.title},pl:{kind:"plan",path:"plans",titleOf:e=>e.revisions[0].title},ap:{kind:"approval",path:"approvals",titleOf:e=>e.question}},$d=[["/","Home"],["/executions","Executions"],["/approvals","Approvals"],["/plans","Plans"],["/context","Context"],["/stats","Stats"],["/alerts","Alerts"],["/webhooks","Webhooks"],["/compare","Compare two executions"]];function md({onClose:e}){let[t,n]=h(""),{found:o,searched:r,problem:s,pending:a}=Oh(t),l=I(!1),[c,d]=h(0),u=I(null),p=Me();x(()=>{let b=u.current;return b?.showModal(),()=>b?.close()},[]),x(()=>{d(0),l.current&&o[0]&&$(o[0]),l.current=!1},[o]),x(()=>u.current?.querySelector("[aria-selected=true]")?.scrollIntoView({block:"nearest"}),[c,o]);let $=b=>(e(),ce(Qr(b))),f=b=>{let C={ArrowDown:1,ArrowUp:-1}[b.key];if(C)d((c+C+o.length)%Math.max(o.length,1));else if(b.key==="Enter"&&a)l.current=!0;else if(b.key==="Enter"&&o[c])$(o[c]);else return;b.preventDefault()};return i`<dialog ref=${u} class="dialog palette" aria-label="Search" onCancel=${b=>(b.preventDefault(),e())} onClick=${b=>b.target===u.current&&e()}>
    <div class="palette-box">
      <div class="palette-input">
        <${k} name="search" />
        <input type="text" role="combobox" aria-label="Search everything" aria-expanded="true" aria-controls=${p} aria-activedescendant=${o.length?`${p}-${c}`:null}
          autofocus autocomplete="off" spellcheck="false" placeholder="Search executions, actions, approvals, people, …" value=${t}
          onInput=${b=>n(b.target.value)} onKeyDown=${f} />
        <button type="button" class="button button-ghost" onClick=${e}>Close</button>
      </div>
      <${R} problem=${s} />
      <div id=${p} class="palette-list" role="listbox" aria-label="Found">
        ${Nh(o).map(([b,C])=>i`<div role="group" aria-label=${Zo[b][0]} key=${b}>
          <div class="palette-kind" aria-hidden="true">${Zo[b][0]}</div>
          ${C.map(([A,_])=>i`<${Lh} key=${`${A.kind} ${A.id}`} id=${`${p}-${_}`} found=${A} chosen=${_===c} onOpen=${()=>$(A)} onPoint=${()=>d(_)} />`)}
        </div>`)}
      </div>
      <p class="palette-note soft" role="status">${a?"Searching…":o.length?i`<span class="visually-hidden">${o.length} found</span>`:r?"Nothing was found.":""}</p>
      <p class="palette-hints soft"><span><${Fe} keys="↑ ↓" /> choose <${Fe} keys="Enter" /> open</span><span>Times too: <code>yesterday</code> <code>last night</code> <code>since:16h</code></span></p>
    </div>
  </dialog>`}function Oh(e){let t=le(()=>[...Ir().map(r=>({kind:"recent",id:r.path,...r})),...$d.map(([r,s])=>({kind:"page",id:r,path:r,title:s}))],[]),[n,o]=h({found:t,searched:!1,problem:null});return x(()=>{let r=pd(e);if(!r.text&&!r.since&&!r.until)return o({found:t,searched:!1,problem:null,of:e});let s=new AbortController,a=setTimeout(()=>Ih(r,s.signal).then(l=>s.signal.aborted||o({found:l,searched:!0,problem:null,of:e}),l=>s.signal.aborted||o({found:[],searched:!0,problem:l,of:e})),Mh);return()=>(clearTimeout(a),s.abort())},[e]),{...n,pending:e!==(n.of??"")}}async function Ih(e,t){let n=Ch.exec(e.text);if(n){let{kind:s,path:a,titleOf:l}=Ah[n[1]],c=await S(`/v1/${a}/${e.text}`,{},{signal:t}).then(l,()=>"");return[{kind:s,id:e.text,title:c||e.text,snippet:["",e.text]}]}let o=$d.filter(([,s])=>e.text&&s.toLowerCase().startsWith(e.text.toLowerCase())).map(([s,a])=>({kind:"page",id:s,path:s,title:a}));return/[\p{L}\p{N}]/u.test(e.text)?[...o,...(await S("/v1/matches",e,{signal:t})).matches]:e.text?[]:(await S("/v1/executions",{since:e.since,until:e.until,limit:20},{signal:t})).executions.map(s=>({kind:"execution",id:s.id,title:s.title,at:s.started,who:s.actor}))}function Nh(e){let t=new Map;return e.forEach((n,o)=>t.set(n.kind,[...t.get(n.kind)??[],[n,o]])),[...t]}function Lh({id:e,found:t,chosen:n,onOpen:o,onPoint:r}){let s=t.snippet??[],a=t.title||t.id,l=s.length>0&&s.join("")===a,c=t.execution_title&&t.kind!=="execution"?t.execution_title:"";return i`<a role="option" id=${e} tabindex="-1" class="palette-option" href=${Qr(t)} aria-selected=${String(n)} onMouseMove=${r}
    onClick=${d=>{d.metaKey||d.ctrlKey||d.shiftKey||(d.preventDefault(),o())}}>
    <${k} name=${Zo[t.kind]?.[1]??"table"} />
    <span class="palette-what">
      <span class="palette-title cut">${l?i`<${fd} pieces=${s} />`:i`<${m} text=${a} />`}</span>
      ${s.length>0&&!l&&i`<span class="palette-snippet cut"><${fd} pieces=${s} /></span>`}
      ${(c||t.who)&&i`<span class="palette-where cut soft">${c&&i`<${m} text=${c} />`}${c&&t.who?" · ":""}${t.who&&i`<${m} text=${t.who} />`}</span>`}
    </span>
    ${t.at&&i`<span class="palette-at soft"><${L} at=${t.at} /></span>`}
  </a>`}function fd({pieces:e}){return e.map((t,n)=>n%2?i`<mark><${m} text=${t} /></mark>`:i`<${m} text=${t} />`)}ze();Ve();B();var gd=[["/","Home","home","h"],["/executions","Executions","executions","e"],["/approvals","Approvals","approvals","a"],["/plans","Plans","plans","p"],["/context","Context","context","c"],["/stats","Stats","stats","s"]];function Xr({path:e,children:t}){let[n,o]=h(!1),[r,s]=h(!1),a=id(),l=gd.map(([c,d,,u])=>[`g ${u}`,{label:`go to ${d.toLowerCase()}`,run:()=>ce(c)}]);return fe("Everywhere",{"?":{label:"show these shortcuts",run:()=>o(!0)},"/":{label:"search everything",run:()=>s(!0)},"Ctrl+k":{label:"search everything",run:()=>s(!0),typing:!0},f:{label:"filter this page",run:dr},...Object.fromEntries(l),"g l":{label:"go to alerts",run:()=>ce("/alerts")}}),i`<${Vr} value=${a}>
    <a class="skip" href="#main" data-native>Skip to the content</a>
    <header class="top">
      <a class="brand" href=${y("/")} aria-label="Tallystick, home"><${vo} /><span>Tallystick</span></a>
      <${Dh} />
      <${Rh} path=${e} />
      <div class="top-end">
        <${w} kind="ghost" icon="search" aria-label="Search, Ctrl K" onClick=${()=>s(!0)}><span class="search-key">Ctrl K</span></${w}>
        <${Ph} />
        <${qh} />
        <${Bh} onHelp=${()=>o(!0)} />
      </div>
    </header>
    <${ud} />
    <main id="main" tabindex="-1">${t}</main>
    <${Hs} />
    <${cd} />
    <${Uh} />
    ${r&&i`<${md} onClose=${()=>s(!1)} />`}
    ${n&&i`<${Hh} onClose=${()=>o(!1)} />`}
  </${Vr}>`}function Rh({path:e}){let t=Xo().data,n=!Se()&&t?.counts||{},o={"/":[Se()?0:Zn(t),"need you"],"/approvals":[n.question_waits??0,"pending"]},r=s=>s==="/"?e==="/"||e==="/alerts":e.startsWith(s)||s==="/executions"&&e.startsWith("/x/");return i`<nav class="navigation" aria-label="Main">
    ${gd.map(([s,a,l])=>i`<a href=${y(s)} class="nav-link" aria-current=${r(s)?"page":null}>
        <${k} name=${l} /><span>${a}</span>
        ${o[s]?.[0]?i`<span class="nav-link-count tone-waiting"><span class="visually-hidden">, </span>${o[s][0]}<span class="visually-hidden"> ${o[s][1]}</span></span>`:null}
      </a>`)}
  </nav>`}function Dh(){let{shown:e,others:t}=ht();return e?t.length?i`<label class="journal-name"><${k} name="journal" /><span class="visually-hidden">Journal</span>
    <select value=${e} onChange=${n=>ce(`/?journal=${encodeURIComponent(n.target.value)}`)}>
      ${[e,...t].sort().map(n=>i`<option value=${n} selected=${n===e}>${n}</option>`)}
    </select>
  </label>`:i`<span class="journal-name" title="Journal"><${k} name="journal" /><span>${e}</span></span>`:null}function Ph(){let e=nt();return me("time")==="absolute"?i`<span class="zone" title="Time zone">${e}</span>`:null}var jh={live:["live","Live"],connecting:["offline","Connecting"],offline:["offline","Offline"]};function qh(){let e=va(),[t,n]=jh[e];return i`<span class=${`connection connection-${e}`} role="status">
    <${k} name=${t} /><span>${n}</span>
  </span>`}var hd={theme:"Theme",density:"Density",time:"Times",zone:"Time zone"};function Bh({onHelp:e}){let t=Oe(),n=nt();return i`<${rt} label="Settings" icon="settings" kind="ghost" end>
    <div class="settings">
      ${Object.keys(Rn).map(o=>i`<${zh} key=${o} name=${o} />`)}
      <p class="soft">Times are shown in ${n}.</p>
      <hr />
      <a class="menu-item" href=${y("/alerts")}><${k} name="warning" />Alerts</a>
      <a class="menu-item" href=${y("/compare")}><${k} name="compare" />Compare two executions</a>
      <a class="menu-item" href=${y("/webhooks")}><${k} name="export" />Webhooks</a>
      <a class="menu-item" href=${y("/import")}><${k} name="import" />Open an export</a>
      <button type="button" class="menu-item" data-close onClick=${e}><${k} name="keyboard" />Shortcuts <${Fe} keys="?" /></button>
      ${t.person&&i`<${Fh} session=${t} />`}
      <p class="soft">Tallystick ${t.version}</p>
    </div>
  </${rt}>`}function Fh({session:e}){return i`<button type="button" class="menu-item" onClick=${async()=>{await fetch("/logout",{method:"POST",headers:{"Tallystick-CSRF":e.csrf}}),uo(!0),location.assign("/login")}}><${k} name="person" />Log out ${e.name}</button>`}function zh({name:e}){let t=me(e);return i`<div class="setting">
    <span>${hd[e]}</span>
    <${ie} label=${hd[e]} value=${t} choices=${Rn[e]} onChange=${n=>$r(e,n)} />
  </div>`}function Hh({onClose:e}){let t=aa();return i`<${et} title="Shortcuts" onClose=${e} wide>
    <div class="help">
      ${t.map(({group:n,keys:o})=>i`<section>
          <h3>${n}</h3>
          <dl>${o.map(([r,s])=>i`<div><dt><${Fe} keys=${r} /></dt><dd>${s}</dd></div>`)}</dl>
        </section>`)}
    </div>
  </${et}>`}function Uh(){let e=la();return e?i`<div class="pending" role="status"><${Fe} keys=${e} /> then…</div>`:null}Ve();B();var yp=()=>Promise.resolve().then(()=>(Bd(),qd)),Ey=[["/",async()=>Gr,"Home"],["/executions",()=>Promise.resolve().then(()=>(Gd(),Vd)),"Executions"],["/x/:id",async()=>Rr,"Execution"],["/approvals",yp,"Approvals","approvals"],["/approvals/:id",yp,"Approvals","approvals"],["/alerts",()=>Promise.resolve().then(()=>(Xd(),Qd)),"Alerts"],["/webhooks",()=>Promise.resolve().then(()=>(ou(),nu)),"Webhooks"],["/context",()=>Promise.resolve().then(()=>(au(),iu)),"Context"],["/plans",()=>Promise.resolve().then(()=>(cu(),lu)),"Plans"],["/plans/:id",()=>Promise.resolve().then(()=>($u(),fu)),"Plan"],["/compare",()=>Promise.resolve().then(()=>(wu(),_u)),"Compare"],["/stats",()=>Promise.resolve().then(()=>(Vu(),Ku)),"Stats"],["/replay/:id",()=>Promise.resolve().then(()=>(up(),dp)),"Replay"],["/import",()=>Promise.resolve().then(()=>(hp(),mp)),"Import"]],Ty={module:()=>Promise.resolve().then(()=>(bp(),gp)),params:{},title:"Not found",pageKey:""};function My(e){for(let[t,n,o,r]of Ey){let s=Xi(t,e);if(s)return{module:n,params:s,title:o,pageKey:r}}return Ty}function Cy(){let{path:e,query:t}=Yi(),{module:n,params:o,title:r,pageKey:s}=My(e),[a,l]=h(null),c=t.get("journal")||"";ke(()=>{Ho(r);let u=!1;return n().then(p=>u||l({module:n,Page:p.Page}),()=>u||l({module:n,Page:Ay})),()=>{u=!0}},[n]),x(()=>xa(),[c]);let d=I(0);return Ie(u=>{u===null&&(d.current+=1)>1&&ut()}),i`<${Xr} path=${e}>
    <${xp} key=${(s||e)+c}>
      ${a?.module===n?i`<${a.Page} ...${o} query=${t} />`:i`<${U} />`}
    </${xp}>
  </${Xr}>`}function Ay(){return i`<div class="page"><${R} problem=${{message:"This view could not be loaded.",hint:"Is the server still running?"}} retry=${()=>location.reload()} /></div>`}function xp({children:e}){let[t,n]=Ls(o=>console.error(o));return t?i`<${R} problem=${{message:"This view failed.",hint:String(t)}} retry=${n} />`:i`<${ct}>${e}</${ct}>`}Xa();uo();Zi();wa();ca();ta();Ms(i`<${Cy} />`,document.getElementById("app"));
