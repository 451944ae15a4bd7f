var Zu=Object.defineProperty;var E=(e,t,n)=>()=>{if(n)throw n[0];try{return e&&(t=e(e=0)),t}catch(o){throw n=[o],o}};var Ce=(e,t)=>{for(var n in t)Zu(e,n,{get:t[n],enumerable:!0})};function wt(e){e&&e.parentNode&&e.remove()}function ui(e,t,n){var o,r,s,a={},l=arguments.length;for(s in t)s=="key"?o=t[s]:s=="ref"&&typeof e!="function"?r=t[s]:a[s]=t[s];return l>2&&(a.children=l>3?ps.call(arguments,2):n),$n(e,a,o,r,null)}function $n(e,t,n,o,r){var s={type:e,props:t,key:n,ref:o,__k:null,__:null,__b:0,__e:null,__c:null,constructor:mn,__v:r||++ai,__i:-1,__u:0};return!r&&de.vnode&&de.vnode(s),s}function ct(e){return e.children}function eo(e,t){this.props=e,this.context=t,this.__g=0}function lt(e,t){if(t==null)return e.__&&lt(e.__,e.__i+1);for(var n;t<e.__k.length;t++)if((n=e.__k[t])&&n.__e)return n.__e;return typeof e.type!="function"||e.props.__P?null:lt(e)}function np(e){var t,n=e.__v,o=n.__e,r=[],s=[],a=e.__P;a&&((t=vt({constructor:mn},n)).__v=n.__v+1,de.vnode&&de.vnode(t),fs(a,t,n,e.__n,a.namespaceURI,32&n.__u?[o]:null,r,o||lt(n),32&n.__u,s),t.__v=n.__v,t.__.__k[t.__i]=t,gi(r,t,s),n.__=n.__e=null,t.__e!=o&&pi(t))}function pi(e){if((e=e.__)&&e.__c&&!e.props.__P)return e.__e=null,e.__k.some(function(t){return t&&(e.__e=t.__e)}),pi(e)}function cs(e){(8&e.__g||(e.__g|=8,at.push(e),no++))&&as==de.debounceRendering||((as=de.debounceRendering)||queueMicrotask)(fi)}function fi(){try{for(var e,t=1;at.length;)at.length>t&&at.sort(li),e=at.shift(),t=at.length,8&e.__g&&np(e)}finally{(no=at.length)&&(as||queueMicrotask)(fi)}}function $i(e,t,n,o,r,s,a,l,c,d,u){var p,f,$,g,b,M,v=o.__k||so,y=t.length;for(c=op(n,t,v,c,y),p=0;p<y;p++)($=n.__k[p])!=null&&(f=~$.__i&&v[$.__i]||oo,$.__i=p,M=fs(e,$,f,r,s,a,l,c,d,u),g=$.__e,(f.ref!=$.ref||8&f.__u)&&(f.ref&&$s(f.ref,null,$,f),$.ref&&u.push($.ref,$.__c||g,$)),b=b||g,4&$.__u?(c=mi($,c,e,!f.__v),f.__e&&(f.__e=null)):typeof $.type=="function"&&M!==void 0?c=M:g&&(c=g.nextSibling),$.__u&=-21);return n.__e=b,c}function op(e,t,n,o,r){var s,a,l,c,d,u,p,f,$,g=n.length,b=g,M=0,v=0,y=e.__k=Array(r);for(s=0;s<r;s++)(a=t[s])!=null&&typeof a!="boolean"&&typeof a!="function"?(typeof a!="object"||a.constructor===String?a=y[s]=$n(null,a):us(a)?a=y[s]=$n(ct,{children:a}):a.constructor===mn&&a.__b?a=y[s]=$n(a.type,a.props,a.key,a.ref,a.__v):y[s]=a,c=s+M,a.__=e,a.__b=e.__b+1,l=null,~(d=a.__i=sp(a,n,c,b))&&(b--,(l=n[d])&&(l.__u|=2)),l&&l.__v?(a.__u|=16,d==c-1?M--:d==c+1?M++:d!=c&&(d>c?M--:M++,v=1)):(~d||(r>g?M--:r<g&&M++),typeof a.type!="function"&&(a.__u|=4))):y[s]=null;if(v){for(u=[],p=[],s=0;s<r;s++)if((a=y[s])&&16&a.__u){for(M=0,f=u.length;M<f;)u[$=M+f>>1]<a.__i?M=$+1:f=$;u[M]=a.__i,p[s]=M+1}for(M=u.length;s--;)p[s]&&(p[s]==M?M--:y[s].__u|=4)}if(b)for(s=0;s<g;s++)!(l=n[s])||2&l.__u||(l.__e==o&&(o=lt(l)),ms(l,l));return o}function mi(e,t,n,o){var r,s,a,l;if(typeof e.type=="function"){if(e.props.__P)return t;if(r=e.__k)for(s=0;s<r.length;s++)r[s]&&(r[s].__=e,t=mi(r[s],t,n,!1));return t}for(t&&!t.parentNode&&(t=lt(e))&&!t.parentNode&&(t=null),a=e.__e,l=t;l&&l.nodeType==8;)l=l.nextSibling;for(a!=l&&(!o&&n.moveBefore&&a.parentNode?n.moveBefore(a,t):n.insertBefore(a,t||null)),t=a;(t=t&&t.nextSibling)&&t.nodeType==8&&!t.data.startsWith("$s"););return t}function sp(e,t,n,o){var r,s=e.key,a=e.type,l=t[n],c=l&&!(2&l.__u);if(l===null&&s==null||c&&s==l.key&&a==l.type)return n;if(o>(c?1:0)){for(r=n-1;r>=0;r--)if((l=t[r])&&!(2&l.__u)&&s==l.key&&a==l.type)return r;for(r=n+1;r<t.length;r++)if((l=t[r])&&!(2&l.__u)&&s==l.key&&a==l.type)return r}return-1}function ii(e,t,n){n==null&&(n=""),t[0]=="-"?e.setProperty(t,n):e[t]=n}function Qn(e,t,n,o,r){var s,a;if(t=="style")if(typeof n=="string")e.style.cssText=n;else{if(typeof o=="string"&&(e.style.cssText=o=""),o)for(t in o)n&&t in n||ii(e.style,t);if(n)for(t in n)o&&n[t]==o[t]||ii(e.style,t,n[t])}else if(t[0]=="o"&&t[1]=="n")typeof n!="function"&&(n=null),typeof o!="function"&&(o=null),(e.__e||(e.__e={}))[t]=n,n&&o||(a=ls[t]||(ls[t]=rp(t)),(e.__a||(e.__a={}))[t]=ds,s=t!=(t=t.replace(ci,"$1")),(t=t.slice(2))[0]<"a"&&(t=t.toLowerCase()),n?e.addEventListener(t,a,s):e.removeEventListener(t,a,s));else{if(r=="http://www.w3.org/2000/svg")t=t.replace(/xlink(H|:h)/,"h").replace(/sName$/,"s");else if(t!="width"&&t!="height"&&t!="href"&&t!="list"&&t!="form"&&t!="tabIndex"&&t!="download"&&t!="rowSpan"&&t!="colSpan"&&t!="role"&&t!="popover"&&t in e)try{return void(e[t]=n??"")}catch{}if(typeof n=="function")return;n==null||n===!1&&t[4]!="-"?e.removeAttribute(t):e.setAttribute(t,t=="popover"&&n==1?"":n)}}function rp(e){return function(t){var n=this.__e;if(n){if(n=n[e],t[Zn]==null)t[Zn]=ds++;else if(t[Zn]<this.__a[e])return;return n(de.event?de.event(t):t)}}}function fs(e,t,n,o,r,s,a,l,c,d){var u,p,f,$,g,b,M,v,y,A,O,P,Z,L,z,H,V,Y,re=t.type;if(t.constructor!==mn)return null;128&n.__u&&(c=32&n.__u,u=n.__c.__z)&&(t.__u|=c,p=s=[],u.nodeType==8?l=to(u,s):s.push(u),l=s[0]||l),(u=de.__b)&&u(t);e:if(typeof re=="function"){f=a.length;try{if(v=t.props,y=(u=re.prototype)&&u.render,A=(u=re.contextType)&&o[u.__c],O=u?A?A.props.value:u.__:o,($=n.__c)?(t.__c=$,2&$.__g&&($.__g|=1)):(y?t.__c=$=new re(v,O):(t.__c=$=new eo(v,O),$.constructor=re,$.render=ap),A&&A.sub($),$.state||($.state={}),$.__n=o,$.__g|=8,$.__h=[],$.__k=[]),y&&($.__s||($.__s=$.state),re.getDerivedStateFromProps&&($.__s==$.state&&($.__s=vt({},$.__s)),vt($.__s,re.getDerivedStateFromProps(v,$.__s)))),g=$.props,b=$.state,$.__v=t,n.__c){if(v!==g&&y&&!re.getDerivedStateFromProps&&$.componentWillReceiveProps&&$.componentWillReceiveProps(v,O),t.__v==n.__v&&!(8&$.__g)||!(4&$.__g)&&$.shouldComponentUpdate&&$.shouldComponentUpdate(v,$.__s,O)===!1){t.__v!=n.__v&&($.props=v,$.state=$.__s,$.__g&=-9),t.__e=n.__e,t.__k=n.__k,t.__k.some(function(B){B&&(B.__=t)}),so.push.apply($.__h,$.__k),$.__k=[],$.__h.length&&a.push($),l=lt(n);break e}$.componentWillUpdate&&$.componentWillUpdate(v,$.__s,O),y&&$.componentDidUpdate&&$.__h.push(function(){$.componentDidUpdate(g,b,M)})}else y&&!re.getDerivedStateFromProps&&$.componentWillMount&&$.componentWillMount(),y&&$.componentDidMount&&$.__h.push($.componentDidMount);$.context=O,$.props=v,$.__P=e,$.__g&=-5,P=de.__r,Z=y?25:0;do $.__g&=-9,P&&P(t),u=$.render($.props,$.state=$.__s,$.context);while(8&$.__g&&++Z<25);y&&(so.push.apply($.__h,$.__k),$.__k=[]),$.state=$.__s,$.getChildContext&&(o=vt({},o,$.getChildContext())),y&&n.__c&&$.getSnapshotBeforeUpdate&&(M=$.getSnapshotBeforeUpdate(g,b)),L=u&&u.type===ct&&u.key==null?u.props.children:u,v.__P&&(u=l,r=(e=v.__P).namespaceURI,c=s=null,n.props&&n.props.__P!=e&&(n.__k.some(function(B){B&&ms(B,B)}),n.__k=null),l=n.__k?lt(n,0):null),l=$i(e,us(L)?L:[L],t,n,o,r,s,a,l,c,d),v.__P&&(t.__e=null,l=u),t.__u&=-161,p&&p.some(wt),$.__h.length&&a.push($),1&$.__g&&($.__g&=-4)}catch(B){if(a.length=f,t.__v=null,c||s)if(B&&B.then){if(t.__u|=128|c,s){for(~(V=s.indexOf(l||void 0))||(V=s.length);(Y=s[V-1])&&Y.nodeType==8;)V--;for(;V<s.length;V++)if(Y=s[V])if(s[V]=null,z){if(Y==H)break}else{if(Y.nodeType!=8)break;Y.data.startsWith("$s")&&(H=to(z=Y))}}if(!z){for(;l&&l.nodeType==8&&l.nextSibling;)l=l.nextSibling;z=l}(u=to(z=t.__c.__z||(t.__c.__z=z)))?(t.__e=z,l=u):t.__e=l,l=l&&l.nextSibling}else s&&s.some(wt);else t.__e=n.__e;t.__k||(t.__k=n.__k||[]),B&&B.then||hi(t),de.__e(B,t,n)}}else l=t.__e=ip(n.__e,t,n,o,r,s,a,c,d,e);return(u=de.diffed)&&u(t),l}function to(e,t){if(e&&e.nodeType==8&&e.data.startsWith("$s"))for(var n=1;e=e.nextSibling;){if(e.nodeType==8){if(e.data.startsWith("$s"))n++;else if(e.data.startsWith("/$s")&&!--n)return e}t&&t.push(e)}}function hi(e){e&&(e.__c&&(e.__c.__g|=4),e.__k&&e.__k.some(hi))}function gi(e,t,n){for(var o=0;o<n.length;)$s(n[o++],n[o++],n[o++]);de.__c&&de.__c(t,e),e.some(function(r){try{e=r.__h,r.__h=[],e.some(function(s){s.call(r)})}catch(s){de.__e(s,r.__v)}})}function ip(e,t,n,o,r,s,a,l,c,d){var u,p,f,$,g,b,M,v,y=n.props||oo,A=t.props,O=t.type;if(O=="svg"?r="http://www.w3.org/2000/svg":O=="math"?r="http://www.w3.org/1998/Math/MathML":r||(r="http://www.w3.org/1999/xhtml"),s){for(u=0;u<s.length;u++)if((g=s[u])&&(O?g.localName==O:g.nodeType==3)){e=g,s[u]=null;break}}if(!e){if(v=d.ownerDocument||document,!O)return v.createTextNode(A);e=v.createElementNS(r,O,A.is?A:d),l&&(de.__m&&de.__m(t,s),l=!1),s=null}if(O){if(d=O=="template"&&e.content||e,s=O=="textarea"&&A.defaultValue!=null?null:s&&ps.call(d.childNodes),!l&&s)for(y={},u=0;u<e.attributes.length;u++)y[(g=e.attributes[u]).name]=g.value;for(u in y)g=y[u],u=="dangerouslySetInnerHTML"?f=g:u=="children"||u in A||u=="value"&&"defaultValue"in A||u=="checked"&&"defaultChecked"in A||Qn(e,u,null,g,r);for(u in A)g=A[u],u=="children"?$=g:u=="dangerouslySetInnerHTML"?p=g:u=="value"?b=g:u=="checked"?M=g:l&&typeof g!="function"||y[u]===g||Qn(e,u,g,y[u],r);p?(l||f&&(p.__html==f.__html||p.__html==e.innerHTML)||(e.innerHTML=p.__html),t.__k=[]):(f&&(e.textContent=""),(O=="foreignObject"||r=="http://www.w3.org/1998/Math/MathML"&&tp.test(O))&&(r="http://www.w3.org/1999/xhtml"),$i(d,us($)?$:[$],t,n,o,r,s,a,s?s[0]:n.__k&&lt(n,0),l,c),s&&s.some(wt)),l&&O!="textarea"||(u="value",O=="progress"&&b==null?e.removeAttribute(u):b==null||b===e[u]&&(O!="progress"||b)||Qn(e,u,b,y[u],r),u="checked",M!=null&&M!=e[u]&&Qn(e,u,M,y[u],r))}else y===A||l&&e.data==A||(e.data=A);return e}function $s(e,t,n,o){try{typeof e=="function"?t?t.__x=e(t)||1:o&&(o=o.__c||o.__e)&&(t=o.__x)&&(o.__x=null,typeof t=="function"?t():e(null)):e.current=t}catch(r){de.__e(r,n)}}function ms(e,t,n){var o,r,s,a;if(de.unmount&&de.unmount(e),!(o=e.ref)||o.current&&o.current!=e.__e||$s(o,null,t,e),o=e.__c){if(o.componentWillUnmount)try{o.componentWillUnmount()}catch(l){de.__e(l,t)}o.__P=o.__n=null}if(o=e.__k)for(a=0;a<o.length;a++)o[a]&&ms(o[a],t,typeof e.type!="function"||n&&!e.props.__P);!n&&(o=e.__c)&&(o=o.__z)&&(r=to(o,s=[]))&&(o==e.__e&&s.some(wt),wt(r),wt(o)),n||wt(e.__e),e.__e=e.__c=e.__=null}function ap(e,t,n){return this.constructor(e,n)}function hs(e,t){var n,o,r,s;de.__&&de.__(e,t),t.nodeType==9&&(t=t.documentElement),o=(n=e&&32&e.__u)?null:t.__k,t.__k=$n(ct,{children:[e]}),r=[],s=[],fs(t,t.__k,o||oo,oo,t.namespaceURI,o?null:t.firstChild?ps.call(t.childNodes):null,r,o?o.__e:t.firstChild,n,s),gi(r,t.__k,s),t.__k.props.children=null}function gs(e){function t(n){var o,r;return this.getChildContext||(o=new Set,(r={})[t.__c]=this,this.getChildContext=function(){return r},this.shouldComponentUpdate=function(s){this.props.value!=s.value&&o.forEach(function(a){a.__g|=4,cs(a)})},this.sub=function(s){o.add(s);var a=s.componentWillUnmount;s.componentWillUnmount=function(){o.delete(s),a&&a.call(s)}}),n.children}return t.__c="__cC"+di++,t.__=e,t.Provider=(t.Consumer=function(n,o){return n.children(o)}).contextType=t,t}var de,ai,ep,at,as,no,li,Zn,ci,ds,ls,di,mn,oo,so,tp,us,ps,vt,bs=E(()=>{mn=Symbol.for("pv"),oo={},so=[],tp=/^m(i|n|o|s|text|space)$/,us=Array.isArray,ps=so.slice,vt=Object.assign;de={__e:function(e,t,n,o){for(var r,s,a;t=t.__;)if((r=t.__c)&&!(1&r.__g)){r.__g|=4;try{if((a=(s=r.constructor)&&s.getDerivedStateFromError)&&r.setState(s.getDerivedStateFromError(e)),r.componentDidCatch&&(r.componentDidCatch(e,o||{}),a=1),a&&8&r.__g)return void(r.__g|=2)}catch(l){e=l}}throw no=0,e}},ai=0,ep=function(e){return e!=null&&e.constructor===mn},eo.prototype.setState=function(e,t){var n=this.__s;n&&n!=this.state||(n=this.__s=vt({},this.state)),typeof e=="function"&&(e=e(vt({},n),this.props)),e&&(vt(n,e),this.__v&&(t&&this.__k.push(t),cs(this)))},eo.prototype.forceUpdate=function(e){this.__v&&(this.__g|=4,e&&this.__h.push(e),cs(this))},eo.prototype.render=ct,at=[],no=0,li=function(e,t){return e.__v.__b-t.__v.__b},Zn=Symbol(),ci=/(PointerCapture)$|Capture$/i,ds=0,ls={},di=0});function xi(e){var t=bi.get(this);return t||(t=new Map,bi.set(this,t)),(t=yi(this,t.get(e)||(t.set(e,t=(function(n){for(var o,r,s=1,a="",l="",c=[0],d=function(f){s===1&&(f||(a=a.replace(/^\s*\n\s*|\s*\n\s*$/g,"")))?c.push(0,f,a):s===3&&(f||a)?(c.push(3,f,a),s=2):s===2&&a==="..."&&f?c.push(4,f,0):s===2&&a&&!f?c.push(5,0,!0,a):s>=5&&((a||!f&&s===5)&&(c.push(s,0,a,r),s=6),f&&(c.push(s,f,0,r),s=6)),a=""},u=0;u<n.length;u++){u&&(s===1&&d(),d(u));for(var p=0;p<n[u].length;p++)o=n[u][p],s===1?o==="<"?(d(),c=[c],s=3):a+=o:s===4?a==="--"&&o===">"?(s=1,a=""):a=o+a[0]:l?o===l?l="":a+=o:o==='"'||o==="'"?l=o:o===">"?(d(),s=1):s&&(o==="="?(s=5,r=a,a=""):o==="/"&&(s<5||n[u][p+1]===">")?(d(),s===3&&(c=c[0]),s=c,(c=c[0]).push(2,0,s),s=0):o===" "||o==="	"||o===`
`||o==="\r"?(d(),s=2):a+=o),s===3&&a==="!--"&&(s=4,c=c[0])}return d(),c})(e)),t),arguments,[])).length>1?t:t[0]}var yi,bi,_i=E(()=>{yi=function(e,t,n,o){var r;t[0]=0;for(var s=1;s<t.length;s++){var a=t[s++],l=t[s]?(t[0]|=a?1:2,n[t[s++]]):t[++s];a===3?o[0]=l:a===4?o[1]=Object.assign(o[1]||{},l):a===5?(o[1]=o[1]||{})[t[++s]]=l:a===6?o[1][t[++s]]+=l+"":a?(r=e.apply(l,yi(e,l,n,["",null])),o.push(r),l[0]?t[0]|=2:(t[s-2]=0,t[s]=r)):o.push(l)}return o},bi=new Map});function kt(e,t){he.__h&&he.__h(ue,e,gn||t),gn=0;var n=ue.__H||(ue.__H={__:[],__h:[]});return e>=n.__.length&&n.__.push({}),n.__[e]}function h(e){return gn=1,Ft(Oi,e)}function Ft(e,t,n){var o=kt(ot++,2);if(o.t=e,!o.__c&&(o.__=[n?n(t):Oi(void 0,t),function(s){var a=(o.__N||o.__)[0],l=o.t(a,s);xs(a,l)||(o.__N=[l,o.__[1]],o.__c.setState({}))}],o.__c=ue,!ue.__f)){ue.__f=!0;var r=ue.shouldComponentUpdate;ue.shouldComponentUpdate=function(s,a,l){var c=this.__H;if(!c)return!0;var d=!1,u=this.props!=s;if(c.__.some(function(f){f.__N&&(d=!0,xs(f.__[0],f.__N[0])||(u=!0))}),r){var p=r.call(this,s,a,l);return d?p||u:p}return!d||u}}return o.__}function _(e,t){var n=kt(ot++,3);!he.__s&&Ss(n.__H,t)&&(n.__P=!0,n.__=e,n.u=t,ue.__H.__h.push(n))}function ke(e,t){var n=kt(ot++,4);!he.__s&&Ss(n.__H,t)&&(n.__P=!1,n.__=e,n.u=t,ue.__h.push(n))}function C(e){return gn=5,le(function(){return{current:e}},[])}function le(e,t){var n=kt(ot++,7);return Ss(n.__H,t)&&(n.__=e(),n.__H=t),n.__}function xe(e,t){return gn=8,le(function(){return e},t)}function vs(e){var t=ue.context[e.__c],n=kt(ot++,9);return n.c=e,t?(n.__==null&&(n.__=!0,t.sub(ue)),t.props.value):e.__}function ks(e){var t=kt(ot++,10),n=h();return t.__=e,ue.componentDidCatch||(ue.componentDidCatch=function(o,r){t.__&&t.__(o,r),n[1](o)}),[n[0],function(){return n[1]()}]}function Me(){var e=kt(ot++,11);if(!e.__){for(var t=ue.__v;!t.__m&&t.__;)t=t.__;var n=t.__m||(t.__m=[0,0]);e.__="P"+n[0]+"-"+n[1]++}return e.__}function lp(){var e;do{for(;e=_s.shift();)try{hn(e)}catch(n){he.__e(n,{__:(e=e.__P)&&e.__v})}for(;e=Ii.shift();){var t=e.__H;if(e.__P&&t)try{t.__h.some(hn),t.__h.some(ws),t.__h=[]}catch(n){t.__h=[],he.__e(n,e.__v)}}}while(_s.length)}function cp(e){var t,n=function(){clearTimeout(o),Ci&&cancelAnimationFrame(t),setTimeout(e)},o=setTimeout(n,35);Ci&&(t=requestAnimationFrame(n))}function Ai(e){e!=1&&wi==he.requestAnimationFrame||((wi=he.requestAnimationFrame)||cp)(lp)}function hn(e){var t=ue,n=e.__c;typeof n=="function"&&(e.__c=void 0,n()),ue=t}function ws(e){var t=ue;e.__c=e.__(),ue=t}function Ss(e,t){return!e||e.length!=t.length||t.some(function(n,o){return!xs(n,e[o])})}function Oi(e,t){return typeof t=="function"?t(e):t}var ot,ue,ys,wi,xs,gn,Ii,_s,he,vi,ki,Si,Ei,Ti,Mi,Ci,Ni=E(()=>{bs();xs=Object.is,gn=0,Ii=[],_s=[],he=de,vi=he.__b,ki=he.__r,Si=he.diffed,Ei=he.__c,Ti=he.unmount,Mi=he.__;he.__b=function(e){ue=null,vi&&vi(e)},he.__=function(e,t){e&&t.__k&&t.__k.__m&&(e.__m=t.__k.__m),Mi&&Mi(e,t)},he.__r=function(e){ki&&ki(e),ot=0;var t=(ue=e.__c).__H;t&&(ys==ue?ue.__h=[]:(t.__h.some(hn),t.__h.some(ws),ot=0),t.__h=[],t.__.some(function(n){n.__N&&(n.__=n.__N),n.u=n.__N=void 0})),ys=ue},he.diffed=function(e){Si&&Si(e);var t=e.__c;t&&t.__H&&(t.__H.__h.length&&Ai(Ii.push(t)),t.__H.__.some(function(n){n.u&&(n.__H=n.u)})),ys=ue=null},he.__c=function(e,t){t.some(function(n){try{n.__h.some(hn),n.__h=n.__h.filter(function(o){return!o.__||ws(o)})}catch(o){n.__h=[function(){throw o}]}}),Ei&&Ei(e,t)},he.unmount=function(e){Ti&&Ti(e);var t,n,o=e.__c;o&&o.__H&&(o.__H.__.some(function(r){try{if(r.__P&&r.__c){if(n===void 0){for(n=e.__;n&&(!n.__c||!n.__c.__P);)n=n.__;n=n&&n.__c}r.__P=n,Ai(_s.push(r))}else hn(r)}catch(s){t=s}}),o.__H=void 0,t&&he.__e(t,o.__v))};Ci=typeof requestAnimationFrame=="function"});var i,ee,k=E(()=>{bs();_i();Ni();i=xi.bind(ui),ee=(...e)=>e.filter(Boolean).join(" ")});function Es(){let e=document.activeElement?.closest("main a[href]"),t=[...document.querySelectorAll(Li)];return{top:window.scrollY,scrolls:new Map(t.filter(n=>n.scrollTop>0).map(n=>[n.ariaLabel??"",n.scrollTop])),href:e?.getAttribute("href")??""}}function Ri(e){bn();let t=performance.now()+3e3,n=0,o=["wheel","touchstart","keydown","pointerdown"];bn=()=>{cancelAnimationFrame(n);for(let s of o)window.removeEventListener(s,bn)};let r=()=>{[dp(e.top),...[...e.scrolls].map(([a,l])=>up(a,l))].every(Boolean)&&pp(e.href)||performance.now()>t?bn():n=requestAnimationFrame(r)};for(let s of o)window.addEventListener(s,bn,{passive:!0});n=requestAnimationFrame(r)}function dp(e){return Math.abs(window.scrollY-e)>1&&window.scrollTo(0,e),Math.abs(window.scrollY-e)<=1}function up(e,t){let o=[...document.querySelectorAll(Li)].find(r=>r.ariaLabel===e);return o&&Math.abs(o.scrollTop-t)>1&&(o.scrollTop=t),!!o&&Math.abs(o.scrollTop-t)<=1}function pp(e){if(!e)return!0;let n=[...document.querySelectorAll("main a[href]")].find(o=>o.getAttribute("href")===e);return n?.focus({preventScroll:!0}),!!n}var Li,bn,Di=E(()=>{Li="main .virtual, main .table-scroll";bn=()=>{}});function Pi(){return{path:location.pathname,query:new URLSearchParams(location.search)}}function ji(){St=Pi();for(let e of Ms)e(St)}function qi(){let[e,t]=h(St);return _(()=>(Ms.add(t),t(St),()=>Ms.delete(t)),[]),e}function x(e,t={}){let[n,o]=e.split("?"),r=new URLSearchParams(o),s=t instanceof URLSearchParams?[...t]:Object.entries(t);for(let[l,c]of s)c===""||c===null||c===void 0||c===!1?r.delete(l):r.set(l,String(c));Q()&&!r.has(Ts)&&r.set(Ts,Q());let a=fp(r);return a?`${n}?${a}`:n}function fp(e){return e.toString().replaceAll("%3A",":").replaceAll("%2C",",").replaceAll("%2F","/")}function ce(e,{replace:t=!1}={}){let n=x(e);if(n===location.pathname+location.search)return;let o=n.split("?")[0]!==location.pathname;t||(Cs.set(zt,Es()),zt=String(Math.random())),history[t?"replaceState":"pushState"]({key:zt},"",n),ji(),o&&window.scrollTo(0,0)}function J(e,t){ce(x(St.path+location.search,e),t)}function Fi(e,t){let n=e.split("/"),o=t.replace(/(.)\/$/,"$1").split("/");if(n.length!==o.length)return null;let r={};for(let s=0;s<n.length;s+=1)if(n[s].startsWith(":"))r[n[s].slice(1)]=$p(o[s]);else if(n[s]!==o[s])return null;return r}function $p(e){try{return decodeURIComponent(e)}catch{return e}}function mp(e){Cs.set(zt,Es()),zt=e.state?.key??"",ji();let t=Cs.get(zt);t&&Ri(t)}function zi(){window.addEventListener("popstate",mp),document.addEventListener("click",hp)}function hp(e){let t=e.target instanceof Element?e.target.closest("a[href]"):null;if(!(t instanceof HTMLAnchorElement)||e.defaultPrevented||e.button!==0||e.metaKey||e.ctrlKey||e.shiftKey||e.altKey||t.target||t.hasAttribute("download")||t.dataset.native!==void 0)return;let n=new URL(t.href);n.origin!==location.origin||n.hash||n.pathname==="/logout"||(e.preventDefault(),ce(n.pathname+n.search))}var Ts,Ms,St,Cs,zt,Bi,Q,Se,U=E(()=>{k();Di();Ts="journal",Ms=new Set,St=Pi(),Cs=new Map,zt=history.state?.key??"";Bi=()=>St,Q=()=>St.query.get(Ts)||"",Se=()=>Q().startsWith("import-")});function yn(e){try{return JSON.parse(localStorage.getItem(e)||"{}").fields||{}}catch{return{}}}function As(e,t){try{localStorage.setItem(e,JSON.stringify({at:Date.now(),fields:t}))}catch{}}function Is(e){try{localStorage.removeItem(e)}catch{}}function io(e=!1){for(let t of Object.keys(localStorage).filter(n=>n.startsWith(Hi))){let{at:n=0}=JSON.parse(localStorage.getItem(t)||"{}");(e||Date.now()-n>gp)&&localStorage.removeItem(t)}}function ao(e,t){let[n,o]=h(()=>({...t,...yn(e)}));return[n,s=>{o(a=>({...a,...s})),As(e,{...yn(e),...s})},()=>Is(e)]}var Hi,gp,ro,Ht=E(()=>{k();U();Hi="tallystick.draft.",gp=30*864e5,ro=(...e)=>Hi+JSON.stringify([Q(),...e])});function $e(e,t="plain"){let n=yp+=1;Ki([...lo,{id:n,text:e,tone:t}]),setTimeout(()=>Ki(lo.filter(o=>o.id!==n)),bp)}function Ki(e){lo=e;for(let t of Os)t(e)}function Ns(){let[e,t]=h(lo);return _(()=>(Os.add(t),()=>{Os.delete(t)}),[]),i`<div class="toasts" role="status" aria-live="polite">
    ${e.map(n=>i`<p key=${n.id} class=${`toast tone-${n.tone}`}>${n.text}</p>`)}
  </div>`}var bp,lo,yp,Os,Ut=E(()=>{k();bp=5e3,lo=[],yp=0,Os=new Set});function fe(e,t){let n=C({group:e,keys:{}});n.current={group:e,keys:wp(t)},_(()=>(Et.push(n),Gi(),()=>{Et.splice(Et.indexOf(n),1),Gi()}),[])}function Gi(){for(let e of Ds)e(Symbol("keys"))}function wp(e){return Object.fromEntries(Object.entries(e).filter(([,t])=>t))}function Xi(){let[,e]=h(null);return _(()=>(Ds.add(e),()=>{Ds.delete(e)}),[]),vp()}function vp(){let e=new Map;for(let{current:t}of Et){let n=e.get(t.group)||{};for(let[o,r]of Object.entries(t.keys))n[o]=r.label;e.set(t.group,n)}return[...e].map(([t,n])=>({group:t,keys:Object.entries(n)}))}function Qi(){let[e,t]=h(co);return _(()=>(Rs.add(t),()=>{Rs.delete(t)}),[]),e}function Ls(e){co=e;for(let t of Rs)t(e)}function wn(e){let t=e.target;return t instanceof HTMLElement&&(t.isContentEditable||t.matches("input:not([type=checkbox]):not([type=radio]), textarea, select"))}function kp(e){return e.target instanceof HTMLElement&&e.target.matches("a[href], button, summary, input, [role=option]")}function Ji(e){for(let t=Et.length-1;t>=0;t-=1){let n=Et[t].current.keys[e];if(n)return n}return null}function Zi(){document.addEventListener("keydown",Sp,!0),document.addEventListener("keyup",e=>_n&&!wn(e)&&e.key===" "&&e.preventDefault(),!0),document.addEventListener("pointerdown",()=>_n=!1,!0),document.addEventListener("keydown",Ep)}function Sp(e){if(wn(e)&&(_n=Yi(e),xn=0),!_n||wn(e))return;xn>0&&e.timeStamp-xn>_p||e.key==="Tab"||e.key==="Escape"?_n=!1:(Yi(e)||e.key==="Enter")&&(e.preventDefault(),e.stopPropagation(),xn||$e("The field in which you typed is gone. Shortcuts wait until you stop typing."),xn=e.timeStamp)}function Yi({key:e,target:t,ctrlKey:n,metaKey:o}){return e==="Enter"?t instanceof HTMLTextAreaElement&&!n&&!o:e.length===1&&!n&&!o||e==="Backspace"||e==="Dead"||e==="Process"}function Ep(e){if(e.defaultPrevented||e.isComposing||e.altKey)return;let t=(e.metaKey||e.ctrlKey?"Ctrl+":"")+(e.key===" "?"Space":e.key);if((t==="Enter"||t==="Space")&&kp(e))return;let n=co&&Ji(`${co} ${t}`)||Ji(t);if(clearTimeout(Vi),n&&(!wn(e)||n.typing)){Ls(""),e.preventDefault(),n.run(e);return}let o=s=>s.startsWith(`${t} `),r=!wn(e)&&Et.some(({current:s})=>Object.keys(s.keys).some(o));Ls(r?t:""),r&&(Vi=setTimeout(()=>Ls(""),xp))}var xp,_p,Et,co,Vi,Rs,Ds,_n,xn,Ae=E(()=>{k();Ut();xp=900,_p=1500,Et=[],co="",Vi=0,Rs=new Set,Ds=new Set;_n=!1,xn=0});function ea(e){let t=Number(e);return String(t)===e?t:new Ee(e)}var Ee,dt=E(()=>{Ee=class{constructor(t){this.source=t,Object.freeze(this)}toString(){return this.source}valueOf(){return Number(this.source)}}});function vn(e){return Tp.test(e)?qs(e):JSON.parse(e)}function qs(e){let t=new js(e),n=t.value();if(t.at<e.length)throw new Tt("This is not JSON yet",t.at);return n}var Tp,Ps,ta,Mp,Tt,js,uo=E(()=>{dt();Tp=/(?:^|[\s[:,])-?(?:\d{16,}|\d+\.\d+(?:[eE][-+]?\d+)?|\d+[eE][-+]?\d+|(?<=-)0)(?=[\s,\]}]|$)/,Ps=/[ \t\n\r]*/y,ta=/-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?/y,Mp=[["true",!0],["false",!1],["null",null]];Tt=class extends SyntaxError{constructor(t,n){super(t),this.at=n}},js=class{constructor(t){this.text=t,this.at=0,this.space()}value(){let t=this.text[this.at];if(t==="{")return this.object();if(t==="[")return this.array();if(t==='"')return this.string();ta.lastIndex=this.at;let n=ta.exec(this.text);if(n)return this.past(n[0].length),ea(n[0]);for(let[o,r]of Mp)if(this.text.startsWith(o,this.at))return this.past(o.length),r;return this.wrong()}object(){let t={};if(this.past(1),this.took("}"))return t;do{let n=this.at;this.text[n]!=='"'&&this.wrong();let o=this.string();if(Object.hasOwn(t,o))throw new Tt(`The name ${JSON.stringify(o)} appears twice`,n);this.took(":")||this.wrong();let r=this.value();o==="__proto__"?Object.defineProperty(t,o,{value:r,enumerable:!0,configurable:!0,writable:!0}):t[o]=r}while(this.took(","));return this.took("}")?t:this.wrong()}array(){let t=[];if(this.past(1),this.took("]"))return t;do t.push(this.value());while(this.took(","));return this.took("]")?t:this.wrong()}string(){let t=this.at;do t=this.text.indexOf('"',t+1);while(t>0&&this.#e(t));if(t<0)return this.wrong();try{let n=JSON.parse(this.text.slice(this.at,t+1));return this.past(t+1-this.at),n}catch{return this.wrong()}}#e(t){let n=t;for(;this.text[n-1]==="\\";)n-=1;return(t-n)%2===1}took(t){return this.text[this.at]!==t?!1:(this.past(1),!0)}past(t){this.at+=t,this.space()}space(){this.text.charCodeAt(this.at)>32||(Ps.lastIndex=this.at,Ps.test(this.text),this.at=Ps.lastIndex)}wrong(){throw new Tt("This is not JSON yet",this.at)}}});function se(e,{indent:t=0,sorted:n=!1}={}){return na(e,t?`
`:""," ".repeat(t),n)}function na(e,t,n,o){if(e instanceof Ee)return e.source;if(typeof e!="object"||e===null)return JSON.stringify(e)??"null";let r=c=>na(c,t&&t+n,n,o),[s,a]=Array.isArray(e)?"[]":"{}",l=Array.isArray(e)?e.map(r):Cp(e,o).map(c=>`${JSON.stringify(c)}:${t&&" "}${r(e[c])}`);return l.length?s+l.map(c=>(t&&t+n)+c).join(",")+t+a:s+a}function Cp(e,t){let n=Object.keys(e).filter(o=>e[o]!==void 0);return t?n.sort():n}var Le=E(()=>{dt()});function zs(){return Bs??=fetch("/session",{credentials:"same-origin"}).then(e=>e.ok?e.json():po).catch(()=>po).then(e=>({...po,...e})),Bs}async function ut(){Bs=null;let e=await zs();for(let t of Fs)t(e);return e}function Ie(){let[e,t]=h(po);return _(()=>(Fs.add(t),zs().then(t),()=>Fs.delete(t)),[]),e}var po,Bs,Fs,oa,Fe=E(()=>{k();po={person:!1,name:"",journal:"",scopes:[],csrf:"",may_decide:!1,version:"",needs_login:!1},Bs=null,Fs=new Set;oa=async()=>(await zs()).csrf});function T(e,t={},{signal:n,accept:o}={}){return sa($o(e,t),o?{signal:n,headers:{Accept:o}}:{signal:n})}async function Te(e,t={},{key:n,params:o={}}={}){let r=typeof t=="string"?t:se(t),s={"Content-Type":typeof t=="string"?"application/x-ndjson":"application/json"},a=await oa();return a&&Object.assign(s,{"Tallystick-CSRF":a}),n&&Object.assign(s,{"Idempotency-Key":n}),sa($o(e,o),{method:"POST",headers:s,body:r})}function $o(e,t={}){let n=new URLSearchParams;for(let[r,s]of Object.entries(t))for(let a of Array.isArray(s)?s:[s])a!==""&&a!==null&&a!==void 0&&a!==!1&&n.append(r,String(a));Q()&&!n.has("journal")&&n.set("journal",Q());let o=n.toString();return o?`${e}?${o}`:e}async function sa(e,t){let n=await fetch(e,{credentials:"same-origin",...t}).catch(r=>{throw r.name==="AbortError"?r:new fo({detail:"The server cannot be reached.",hint:"Is `tallystick serve` still running?"})});if(n.ok)return n.status===204?null:vn(await n.text());n.status===401&&!e.startsWith("/login")&&location.pathname!=="/login"&&location.assign(`/login?next=${encodeURIComponent(location.pathname+location.search)}`);let o=await n.text().then(vn).catch(()=>({title:n.statusText}));throw new fo({status:n.status,...o})}var fo,K=E(()=>{uo();Le();U();Fe();fo=class extends Error{constructor(t){super(t.detail||t.title||"The server did not answer."),this.name="Problem",this.title=t.title||"",this.status=t.status||0,this.code=t.code||"",this.hint=t.hint||"",this.field=t.field||""}}});function ra(e,t,n){return navigator.locks?Ap(e,t):Ip(t,n)}function Ap(e,t){let n=new AbortController,o=()=>{},r=()=>new Promise(s=>(o=s,t()));return navigator.locks.request(e,{signal:n.signal},r).catch(()=>{}),()=>(n.abort(),o())}function Ip(e,t){let n=0,o=()=>{clearTimeout(n),document.hidden?n=setTimeout(t,5e3):e()};return document.addEventListener("visibilitychange",o),o(),()=>(clearTimeout(n),document.removeEventListener("visibilitychange",o))}var ia=E(()=>{});function Dp(e){if(e!==Mt){Mt=e;for(let t of Us)t(e)}}function da(){aa(),Wt?.close(),Ws(),Kt=0;let e=`tallystick ${Q()}`;Wt=new BroadcastChannel(e),Wt.addEventListener("message",t=>ua(t.data)),Wt.postMessage({asks:ca}),aa=ra(e,()=>pt||Ks(),Ws)}function Ws(){pt?.close(),pt=null}function Ks(){Ws();let e=new EventSource($o("/events",Kt?{after:Kt}:{}));pt=e,e.addEventListener("open",()=>{mo=la,kn({state:"live",reset:!0})}),e.addEventListener("error",()=>{kn({state:e.readyState===EventSource.CLOSED?"offline":"connecting"}),!(e.readyState!==EventSource.CLOSED||pt!==e)&&(setTimeout(()=>pt===e&&Ks(),mo),mo=Math.min(mo*2,Rp))});let t=n=>Number(n.lastEventId)||0;for(let n of Op)e.addEventListener(n,o=>kn({seq:t(o),entry:o.data}));e.addEventListener("caught_up",n=>kn({seq:t(n)})),e.addEventListener("shorter",n=>kn({seq:t(n),shorter:!0,reset:!0}))}function kn(e){ua(e),Wt?.postMessage(e)}function ua({asks:e,to:t,state:n,reset:o,seq:r,shorter:s,entry:a}){if(t&&t!==ca)return;e&&pt&&Wt?.postMessage({to:e,state:Mt,reset:Mt==="live",seq:Kt}),r!==void 0&&(Kt=s?r:Math.max(Kt,r)),n&&Dp(n);let l=a===void 0?null:vn(a);if(o||l)for(let c of Hs)c(l)}function pa(){window.addEventListener("online",()=>pt&&Mt!=="live"&&Ks())}function Re(e){let t=C(e);t.current=e,_(()=>{let n=o=>t.current(o);return Hs.add(n),()=>{Hs.delete(n)}},[])}function fa(){let[e,t]=h(Mt);return _(()=>(Us.add(t),t(Mt),()=>{Us.delete(t)}),[]),e}function D(e,t){let[n,o]=h({data:null,problem:null,loading:!0}),r=C({keys:e,load:t});r.current={keys:e,load:t};let s=C({timer:0,abort:null,busy:!1,next:0,due:!1}).current,a=xe(async()=>{clearTimeout(s.timer),s.timer=0,s.abort?.abort();let c=new AbortController;s.abort=c,s.busy=!0,s.due=!1;let d=performance.now();try{let u=await r.current.load(c.signal);c.signal.aborted||o({data:u,problem:null,loading:!1})}catch(u){c.signal.aborted||o(p=>({...p,problem:u,loading:!1}))}c.signal.aborted||(s.busy=!1,s.next=performance.now()+Lp*(performance.now()-d),s.due&&l())},[]),l=xe(()=>{s.due=!0,!(s.busy||s.timer||document.hidden||r.current.keys.paused)&&(s.timer=setTimeout(a,Math.max(Np,s.next-performance.now())))},[]);return Re(c=>{(c===null||Pp(c,r.current.keys))&&l()}),ke(()=>{o({data:null,problem:null,loading:!0}),a()},e.by||[]),_(()=>{let c=()=>!document.hidden&&s.due&&l();return document.addEventListener("visibilitychange",c),()=>{document.removeEventListener("visibilitychange",c),clearTimeout(s.timer),s.abort?.abort()}},[]),_(()=>{!e.paused&&s.due&&l()},[e.paused]),{...n,reload:a}}function Pp(e,{kinds:t,execution:n}){return e.kind==="body_erased"?!0:n&&e.execution_id!==n&&e.id!==n?!1:!t||t.some(o=>e.kind===o||o.endsWith("_")&&e.kind.startsWith(o))}var Op,Np,Lp,Rp,la,Hs,Us,ca,pt,Wt,aa,Mt,Kt,mo,te=E(()=>{K();k();uo();ia();U();Op=["plan_recorded","plan_retired","task_recorded","session_opened","session_ended","session_noted","execution_started","execution_ended","action_begun","action_ended","action_doubted","action_noted","decision_recorded","context_recorded","approval_requested","approval_decided","body_erased","credential_added","credential_revoked","alert_silenced","webhook_added","webhook_rotated","webhook_tested","webhook_replayed","webhook_removed","unreadable"],Np=30,Lp=2,Rp=15e3,la=500,Hs=new Set,Us=new Set,ca=String(Math.random()),pt=null,Wt=null,aa=()=>{},Mt="connecting",Kt=0,mo=la});function S({name:e,label:t="",size:n=16}){let o=$a[e]||$a.planned;return i`
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
  `}function ho({size:e=20}){return i`
    <svg class="mark" width=${e} height=${e} viewBox="0 0 20 20" aria-hidden="true" focusable="false">
      <path class="mark-half" d="M3 1.5h6v17H3z" />
      <path class="mark-half mark-other" d="M11 1.5h6v17h-6z" />
      <path class="mark-notch" d="M3 5.4h6M3 8.5h6M3 11.6h6M3 14.7h6M11 5.4h6M11 8.5h6M11 11.6h6M11 14.7h6" />
    </svg>
  `}var $a,oe=E(()=>{k();$a={running:["M8 1.75a6.25 6.25 0 1 1-4.42 1.83","f:M6.5 5.4v5.2L10.7 8z"],completed:["M8 1.75a6.25 6.25 0 1 1 0 12.5 6.25 6.25 0 0 1 0-12.5z","M5.2 8.2l2 2 3.7-4.2"],failed:["M5.4 1.75h5.2l3.65 3.65v5.2l-3.65 3.65H5.4L1.75 10.6V5.4z","M5.9 5.9l4.2 4.2M10.1 5.9l-4.2 4.2"],cancelled:["M8 1.75a6.25 6.25 0 1 1 0 12.5 6.25 6.25 0 0 1 0-12.5z","M3.7 12.3l8.6-8.6"],paused:["M8 1.75a6.25 6.25 0 1 1 0 12.5 6.25 6.25 0 0 1 0-12.5z","M6.4 5.6v4.8M9.6 5.6v4.8"],blocked:["M8 2a2.6 2.6 0 1 1 0 5.2A2.6 2.6 0 0 1 8 2z","M2.9 14c.3-2.9 2.3-4.6 5.1-4.6 1 0 1.9.2 2.7.6","M12.6 9.6v2.6l1.5 1"],unwinding:["M3 5.5h6.4a3.85 3.85 0 1 1 0 7.7H5","M5.8 2.6L2.9 5.5l2.9 2.9"],in_doubt:["M8 1.4L14.6 8 8 14.6 1.4 8z","M6.5 6.5c.1-1 .7-1.5 1.6-1.5.9 0 1.5.5 1.5 1.3 0 1.2-1.6 1.2-1.6 2.5","f:M7.3 10.3h1.4v1.3H7.3z"],skipped:["M2.5 4l5 4-5 4z","M8.5 4l5 4-5 4z"],planned:["M8 1.75a6.25 6.25 0 0 1 3.1.8M13.4 4.9a6.25 6.25 0 0 1 .8 3.1M13.4 11.1a6.25 6.25 0 0 1-2.3 2.3M8 14.25a6.25 6.25 0 0 1-3.1-.8M2.6 11.1A6.25 6.25 0 0 1 1.75 8M2.6 4.9a6.25 6.25 0 0 1 2.3-2.3"],unplanned:["M8 1.75a6.25 6.25 0 1 1 0 12.5 6.25 6.25 0 0 1 0-12.5z","M8 5.2v5.6M5.2 8h5.6"],owed:["M3 8h10","M6 4.5L2.5 8 6 11.5","M13.5 3v10"],late:["M8 1.75a6.25 6.25 0 1 1 0 12.5 6.25 6.25 0 0 1 0-12.5z","M8 4.6V8l2.4 1.6"],home:["M2.5 7.5L8 2.8l5.5 4.7","M4 6.5v7h8v-7"],executions:["M2.5 3.5h11M2.5 8h7M2.5 12.5h9"],approvals:["M2.5 9.5v3a1 1 0 0 0 1 1h9a1 1 0 0 0 1-1v-3","M2.5 9.5h3l1 1.8h3l1-1.8h3L11.6 3H4.4z"],plans:["M2 3h3v3H2zM11 2h3v3h-3zM11 11h3v3h-3z","M5 4.5h3.2v8H11M8.2 3.6H11"],context:["M3 2.5h7.5L13 5v8.5H3z","M5.5 6.5h5M5.5 9h5M5.5 11.5h3"],stats:["M2.5 13.5h11","M4.5 11V8M8 11V3.5M11.5 11V6"],compare:["M6.5 2.5h-4v11h4M9.5 2.5h4v11h-4","M8 1.5v13"],replay:["M3.2 6A5.3 5.3 0 1 1 2.7 8.6","M2.6 2.8L3.1 6l3.2-.5"],import:["M8 2v7.5M5 6.7l3 3 3-3","M2.5 10.5v3h11v-3"],export:["M8 9.8V2.2M5 5l3-3 3 3","M2.5 10.5v3h11v-3"],journal:["M4 1.75h8.5v12.5H4a1.5 1.5 0 0 1 0-3h8.5M2.5 12.7V3.25A1.5 1.5 0 0 1 4 1.75","M5.7 5h4"],timeline:["M2 3.5h5M5 8h7M8.5 12.5H14"],graph:["M8 1.8v3M8 4.8H3.8v3M8 4.8h4.2v3","M2.2 7.8h3.2V11H2.2zM10.6 7.8h3.2V11h-3.2z"],table:["M2 3h12v10H2zM2 6.5h12M2 9.8h12M6.2 6.5V13"],coverage:["M1.5 8C3 5 5.3 3.5 8 3.5S13 5 14.5 8C13 11 10.7 12.5 8 12.5S3 11 1.5 8z","M8 6.2a1.8 1.8 0 1 1 0 3.6 1.8 1.8 0 0 1 0-3.6z"],agent:["M3 5.5h10v7H3zM8 5.5V3","f:M7.2 1.6h1.6v1.6H7.2z","M6 8.3v1.4M10 8.3v1.4"],person:["M8 2a2.8 2.8 0 1 1 0 5.6A2.8 2.8 0 0 1 8 2z","M2.8 14c.4-3 2.4-4.7 5.2-4.7s4.8 1.7 5.2 4.7"],observed:["M1.5 8C3 5 5.3 3.5 8 3.5S13 5 14.5 8C13 11 10.7 12.5 8 12.5S3 11 1.5 8z","f:M8 6a2 2 0 1 1 0 4 2 2 0 0 1 0-4z"],claimed:["M2.5 3h11v7.5H8L5 13v-2.5H2.5z"],search:["M7 2.5a4.5 4.5 0 1 1 0 9 4.5 4.5 0 0 1 0-9z","M10.3 10.3l3.4 3.4"],filter:["M2 3.5h12L9.5 8.8v4L6.5 14V8.8z"],copy:["M5.5 5.5h8v8h-8z","M10.5 5.5v-3h-8v8h3"],check:["M3 8.5l3.2 3.2L13 4.6"],close:["M4 4l8 8M12 4l-8 8"],left:["M10 3.5L5.5 8l4.5 4.5"],right:["M6 3.5L10.5 8 6 12.5"],down:["M3.5 6L8 10.5 12.5 6"],up:["M3.5 10L8 5.5 12.5 10"],first:["M3 3v10","M13 8H6.5M9.3 5L6.3 8l3 3"],follow:["M8 2.5v8.5M4.5 7.8L8 11.3l3.5-3.5","M3 14h10"],link:["M6.7 9.3l2.6-2.6","M7.3 4.7l1.4-1.4a2.8 2.8 0 0 1 4 4l-1.4 1.4M8.7 11.3l-1.4 1.4a2.8 2.8 0 0 1-4-4l1.4-1.4"],save:["M3.5 2.5h9v11L8 10.2 3.5 13.5z"],more:["f:M2.6 7h2v2h-2zM7 7h2v2H7zM11.4 7h2v2h-2z"],settings:["M2 4.5h6M11.5 4.5H14M2 11.5h2.5M8 11.5h6","M9.75 2.75a1.75 1.75 0 1 1 0 3.5 1.75 1.75 0 0 1 0-3.5z","M6.25 9.75a1.75 1.75 0 1 1 0 3.5 1.75 1.75 0 0 1 0-3.5z"],zoomin:["M7 2.5a4.5 4.5 0 1 1 0 9 4.5 4.5 0 0 1 0-9z","M10.3 10.3l3.4 3.4M7 5v4M5 7h4"],zoomout:["M7 2.5a4.5 4.5 0 1 1 0 9 4.5 4.5 0 0 1 0-9z","M10.3 10.3l3.4 3.4M5 7h4"],fit:["M2 5V2h3M11 2h3v3M14 11v3h-3M5 14H2v-3"],warning:["M8 2L14.5 13.5h-13z","M8 6.5v3","f:M7.3 10.7h1.4V12H7.3z"],live:["f:M8 5.5a2.5 2.5 0 1 1 0 5 2.5 2.5 0 0 1 0-5z"],offline:["M8 5.5a2.5 2.5 0 1 1 0 5 2.5 2.5 0 0 1 0-5z"],group:["M2.5 3h11M5 6.5h8.5M2.5 10h11M5 13.5h8.5"],edit:["M2.8 13.2l.6-2.8 7.4-7.4 2.2 2.2-7.4 7.4z"],reply:["M6.5 4L2.5 8l4 4","M2.5 8h6.8c2.4 0 4.2 1.6 4.2 4.5"],bell:["M3.5 11.5h9l-1.2-1.8V7a3.3 3.3 0 0 0-6.6 0v2.7z","M6.7 13.7h2.6"],keyboard:["M1.5 4h13v8h-13z","M4 6.7h.01M6.7 6.7h.01M9.3 6.7h.01M12 6.7h.01M5.5 9.5h5"]}});function Ct(e){let[t,n,o]=jp[e]||["idle","planned",e];return{tone:t,icon:n,word:o}}function W({state:e,word:t,quiet:n=!1}){let{tone:o,icon:r,word:s}=Ct(e);return i`<span class=${ee("status",`tone-${o}`,n&&"status-quiet")}>
    <${S} name=${r} /><span>${t||s}</span>
  </span>`}function ne({tone:e="plain",icon:t,title:n,children:o}){return i`<span class=${`badge tone-${e}`} title=${n}>
    ${t&&i`<${S} name=${t} size=${14} />`}<span>${o}</span>
  </span>`}function Xe({witness:e}){let t=e==="observed";return i`<span class=${`witness witness-${t?"observed":"claimed"}`} title=${t?"A hook, gateway or runner saw it":"The agent reported it"}>
    <${S} name=${t?"observed":"claimed"} size=${14} /><span>${e}</span>
  </span>`}var jp,Vs=E(()=>{k();oe();jp={running:["running","running","running"],open:["running","running","running"],paused:["idle","paused","paused"],blocked:["waiting","blocked","waiting for a person"],unwinding:["undo","unwinding","unwinding"],interrupted:["doubt","warning","interrupted"],waiting:["waiting","blocked","waiting for a person"],completed:["ok","completed","completed"],done:["ok","completed","done"],ok:["ok","completed","ok"],failed:["failed","failed","failed"],cancelled:["idle","cancelled","cancelled"],closed:["idle","check","closed"],skipped:["idle","skipped","skipped"],planned:["idle","planned","planned"],in_doubt:["doubt","in_doubt","in doubt"],doubted:["doubt","in_doubt","in doubt"],unknown:["doubt","in_doubt","in doubt"],unplanned:["plain","unplanned","unplanned"],not_undone:["undo","owed","not undone"],undoing:["running","unwinding","being undone"],partly:["doubt","owed","partly undone"],undone:["undo","unwinding","undone"],kept:["ok","check","kept"],not_possible:["idle","cancelled","cannot be undone"],may_be_undo:["plain","unplanned","may be an undo"],pending:["waiting","blocked","pending"],expired:["idle","late","expired"],approve:["ok","completed","accepted"],edit:["ok","edit","accepted with changes"],reject:["failed","failed","rejected"],respond:["ok","reply","answered"],used:["idle","check","used"],active:["ok","plans","active"],superseded:["idle","late","superseded"],archived:["idle","save","archived"],disabled:["failed","failed","disabled"]}});function w({kind:e="plain",icon:t,label:n,pressed:o,disabled:r=!1,type:s="button",class:a,children:l,onClick:c,...d}){let u=!l||Array.isArray(l)&&!l.length;return i`
    <button
      ...${d}
      type=${s}
      aria-disabled=${r?"true":null}
      onClick=${r?qp:c}
      class=${ee("button",`button-${e}`,u&&"button-icon",a)}
      aria-label=${u?n:d["aria-label"]}
      aria-pressed=${o===void 0?null:String(o)}
      title=${u?n:d.title}
    >
      ${t&&i`<${S} name=${t} />`}${l}
    </button>
  `}function ze({href:e,icon:t,kind:n="plain",class:o,children:r,...s}){return i`<a ...${s} href=${e} class=${ee("button",`button-${n}`,o)}>
    ${t&&i`<${S} name=${t} />`}${r}
  </a>`}function ie({label:e,value:t,choices:n,onChange:o}){return i`<div class="choice" role="group" aria-label=${e}>
    ${n.map(r=>{let[s,a]=Array.isArray(r)?r:[r,r];return i`<button type="button" aria-pressed=${String(s===t)} onClick=${()=>o(s)}>
        ${a}
      </button>`})}
  </div>`}var qp,He=E(()=>{k();oe();qp=e=>e.preventDefault()});async function Vt(e){try{return await navigator.clipboard.writeText(e),!0}catch{return!1}}function ge({text:e,what:t=""}){let[n,o]=h(""),r=async()=>{o(await Vt(e)?"copied":"cannot copy"),setTimeout(()=>o(""),1600)};return i`<span class="copy">
    <button type="button" class="button button-ghost button-icon" aria-label=${`Copy ${t||e}`} title=${`Copy ${t||e}`} onClick=${r}>
      <${S} name=${n==="copied"?"check":"copy"} />
    </button>
    <span class="copy-status" role="status">${n}</span>
  </span>`}function Ue({id:e,href:t}){return i`<span class="handle">
    ${t?i`<a href=${t}><code>${e}</code></a>`:i`<code>${e}</code>`}<${ge} text=${e} />
  </span>`}var Gt=E(()=>{k();oe()});function Qe({title:e,onClose:t,children:n,wide:o=!1,side:r=!1}){let s=C(null),a=Me();return _(()=>{let c=s.current;return c?.showModal(),()=>c?.close()},[]),i`<dialog
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
  </dialog>`}var ma=E(()=>{k();He()});function ba(e){return ya.test(e)&&e.length<ga?e?[e]:[]:e.split(zp).map((t,n)=>n%2?Hp(t):t).filter(Boolean)}function Hp(e){if(e===`
`)return{mark:"↵",title:"a line break"};if(e[0]===" ")return{mark:`${e.length} spaces`,title:`${e.length} spaces, one after the other`};let t=[...e].map(o=>`U+${_a(o).toString(16).toUpperCase().padStart(4,"0")}`),n=t.slice(0,8).join(" ")+(t.length>8?" …":"");return{mark:_e(e),title:`${n}: would not be seen`}}function Up(e){if(e==="\r")return"\\r";let t=_a(e);return t<256?`\\x${go(t,2)}`:t<65536?`\\u${go(t,4)}`:`\\U${go(t,8)}`}var ha,Gs,Js,ga,Bp,Fp,zp,ya,_e,xa,bo,_a,go,Wp,Oe,We=E(()=>{ha="\\p{scx=Arab}\\p{scx=Syrc}\\p{scx=Mong}\\p{scx=Nkoo}\\p{scx=Deva}\\p{scx=Beng}\\p{scx=Guru}\\p{scx=Gujr}\\p{scx=Orya}\\p{scx=Taml}\\p{scx=Telu}\\p{scx=Knda}\\p{scx=Mlym}\\p{scx=Sinh}\\p{scx=Khmr}\\p{scx=Mymr}\\p{scx=Tibt}",Gs=["(?<=[\\p{ExtPict}\\p{EMod}\\ufe0f])\\u200d(?=\\p{ExtPict})",`(?<=[${ha}])[\\u200c\\u200d](?=[${ha}])`,"(?<=\\p{ExtPict})[\\ufe0e\\ufe0f]","(?<=[0-9#*])\\ufe0f(?=\\u20e3)"].join("|"),Js="[\\p{C}\\p{DI}\\u2800\\p{Zl}\\p{Zp}]|(?! )\\p{Zs}",ga=40,Bp=new RegExp(`(?!${Gs})(?:${Js})`,"gu"),Fp=new RegExp(`(?![\\n\\t]|${Gs})(?:${Js})`,"gu"),zp=new RegExp(`((?:(?![\\n\\t]|${Gs})(?:${Js}))+|\\n| {${ga},})`,"gu");ya=/^[ -~]*$/;_e=e=>ya.test(e)?e:e.replace(Fp,Up),xa=e=>e.replace(Bp,t=>t===`
`?t:t.split("").map(n=>`\\u${go(n.charCodeAt(0),4)}`).join("")),bo=(e,t)=>e.slice(0,t).replace(/[\ud800-\udbff]$/,"");_a=e=>Number(e.codePointAt(0)),go=(e,t)=>e.toString(16).padStart(t,"0"),Wp=/^[\p{L}_$][\p{L}\p{N}_$-]*$/u,Oe=e=>Wp.test(e)?e:JSON.stringify(e)});function Ys(e,t){let n=0;for(;n<e.length&&n<t.length&&e[n]===t[n];)n+=1;let o=0,r=Math.min(e.length,t.length)-n;for(;o<r&&e[e.length-1-o]===t[t.length-1-o];)o+=1;let s=e.length-n-o,a=t.length-n-o,l=[];for(let c=0;c<n;c+=1)l.push({before:c,after:c});l.push(...s*a>1e6?Kp(n,s,a):Vp(e,t,n,s,a));for(let c=o;c>0;c-=1)l.push({before:e.length-c,after:t.length-c});return l}function Kp(e,t,n){let o=Array.from({length:t},(s,a)=>({before:e+a,after:-1})),r=Array.from({length:n},(s,a)=>({before:-1,after:e+a}));return[...o,...r]}function Vp(e,t,n,o,r){let s=r+1,a=new Uint32Array((o+1)*s);for(let u=o-1;u>=0;u-=1)for(let p=r-1;p>=0;p-=1){let f=u*s+p;a[f]=e[n+u]===t[n+p]?a[f+s+1]+1:Math.max(a[f+s],a[f+1])}let l=[],c=0,d=0;for(;c<o||d<r;){let u=c*s+d;c<o&&d<r&&e[n+c]===t[n+d]?(l.push({before:n+c,after:n+d}),c+=1,d+=1):c<o&&(d===r||a[u+s]>=a[u+1])?(l.push({before:n+c,after:-1}),c+=1):(l.push({before:-1,after:n+d}),d+=1)}return l}var wa=E(()=>{});function yo(e,t){let n=[];return Ea(En(e,t),[],n),n}function ka(e,t){let n=[];return Ta(En(e,t),0,"","",n),n}function Sa(e,t=3){let n=new Uint8Array(e.length);e.forEach((r,s)=>{r.mark!==" "&&n.fill(1,Math.max(0,s-t),s+t+1)});let o=[];for(let r=0;r<e.length;r+=1){if(n[r]){o.push(e[r]);continue}let s=r;for(;s<e.length&&!n[s];)s+=1;s-r>2?o.push({folded:e.slice(r,s)}):o.push(...e.slice(r,s)),r=s-1}return o}function xo(e){return e.map(n=>{let o=typeof n=="number"?"":Oe(n);return o&&o===n?`.${o}`:`[${o||n}]`}).join("").replace(/^\./,"")||"(the whole value)"}function Qs(e,t){return Xs(e)===Xs(t)}function En(e,t,n=0){return Qs(e,t)?{kind:"same",before:e,after:t}:n>=Gp?{kind:"changed",before:e,after:t}:Array.isArray(e)&&Array.isArray(t)?{kind:"array",before:e,after:t,parts:Yp(e,t,n+1)}:Tn(e)&&Tn(t)?{kind:"object",before:e,after:t,parts:Jp(e,t,n+1)}:{kind:typeof e=="string"&&typeof t=="string"&&/\n/.test(e+t)?"text":"changed",before:e,after:t}}function Jp(e,t,n){let o=Object.keys(e),r=Object.keys(t).filter(s=>!Object.hasOwn(e,s));return[...o,...r].map(s=>Object.hasOwn(t,s)?Object.hasOwn(e,s)?{...En(e[s],t[s],n),key:s}:{kind:"added",key:s,after:t[s]}:{kind:"removed",key:s,before:e[s]})}function Yp(e,t,n){let o=["id","key","name"].find(c=>va(e,c)&&va(t,c)),r=c=>c.map(d=>o?d[o]:Xs(d)),s=[],a=[],l=()=>{for(let c of a)s.push({kind:"removed",key:c,before:e[c]});a=[]};for(let c of Ys(r(e),r(t)))c.after<0?a.push(c.before):c.before<0&&a.length&&!o?s.push({...En(e[Number(a.shift())],t[c.after],n),key:c.after}):c.before<0?(l(),s.push({kind:"added",key:c.after,after:t[c.after]})):(l(),s.push({...En(e[c.before],t[c.after],n),key:c.after}));return l(),s}function va(e,t){let n=new Set(e.map(o=>Tn(o)&&typeof o[t]=="string"?o[t]:void 0));return e.length>0&&!n.has(void 0)&&n.size===e.length}function Ea(e,t,n){let o=e.key===void 0?t:[...t,e.key];e.parts?e.parts.forEach(r=>Ea(r,o,n)):e.kind==="added"?n.push({path:o,change:"added",after:e.after}):e.kind==="removed"?n.push({path:o,change:"removed",before:e.before}):e.kind!=="same"&&n.push({path:o,change:"changed",before:e.before,after:e.after})}function Ta(e,t,n,o,r){if(e.kind==="same")Sn(e.after," ",t,n,o,r);else if(e.kind==="removed")Sn(e.before,"-",t,n,o,r);else if(e.kind==="added")Sn(e.after,"+",t,n,o,r);else if(e.kind==="text")Xp(e,t,n,o,r);else if(e.parts){let[s,a]=e.kind==="array"?"[]":"{}";r.push({mark:" ",depth:t,text:n+s}),e.parts.forEach((l,c,d)=>{let u=e.kind==="array"?"":`${JSON.stringify(l.key)}: `;Ta(l,t+1,u,c<d.length-1?",":"",r)}),r.push({mark:" ",depth:t,text:a+o})}else Sn(e.before,"-",t,n,o,r),Sn(e.after,"+",t,n,o,r)}function Sn(e,t,n,o,r,s){se(e,{indent:1}).split(`
`).forEach((l,c,d)=>{let u=l.length-l.trimStart().length,p=c===d.length-1;s.push({mark:t,depth:n+u,text:(c?"":o)+l.trimStart()+(p?r:"")})})}function Xp(e,t,n,o,r){let s=e.before.split(`
`),a=e.after.split(`
`);r.push({mark:" ",depth:t,text:`${n}"""`});for(let l of Ys(s,a)){let c=l.after<0?"-":l.before<0?"+":" ";r.push({mark:c,depth:t+1,text:c==="-"?s[l.before]:a[l.after],within:!0})}r.push({mark:" ",depth:t,text:`"""${o}`})}function Xs(e){return e===void 0?"undefined":se(e,{sorted:!0})}function Tn(e){return typeof e=="object"&&e!==null&&!Array.isArray(e)&&!(e instanceof Ee)}var Gp,_o=E(()=>{dt();Le();We();wa();Gp=100});function m({text:e}){return e?i`<bdi class="written"><${ft} text=${e} /></bdi>`:null}function ft({text:e}){return ba(e).map(t=>typeof t=="string"?t:i`<span class="unseen" title=${t.title}>${t.mark}</span>`)}function De({text:e}){return e.split(`
`).map((t,n)=>i`${n?`
`:""}<${ft} text=${t} />`)}function Ma({text:e,cut:t=e.length}){let n=bo(e,t);if(!e.includes(`
`))return i`<bdi class="json-string">"<${ft} text=${n.replaceAll(/["\\]/g,"\\$&").replaceAll("	","\\t")} />${t<e.length?"":'"'}</bdi>`;let o=n.split(`
`);return i`<span class="json-brace">text, ${e.split(`
`).length} lines</span><span class="json-block">${o.map((r,s)=>i`<bdi class="json-text"><${ft} text=${r} />${s<o.length-1&&i`<span class="unseen line-end" title="a line break">↵</span>`}</bdi>`)}</span>`}var je=E(()=>{k();We()});function ae({value:e,label:t="value",raw:n=!1,whole:o=!1}){let[r,s]=h(n?"raw":"tree"),a=Ca(e),l=a&&Ze(e).length>ef;return i`<div class="json">
    <div class="json-tools">
      ${l&&i`<${ie} label=${`How ${t} is shown`} value=${r} choices=${["tree","raw"]} onChange=${s} />`}
      <${ge} text=${typeof e=="string"?e:Ze(e)} what=${t} />
    </div>
    ${r==="raw"||!a?i`<${Yt} text=${typeof e=="string"?e:Ze(e)} />`:i`<div class=${l?"json-tree":"json-tree json-short"}><${tf} value=${e} whole=${o} /></div>`}
  </div>`}function Yt({text:e}){let[t,n]=h(!1),o=!t&&e.length>Jt*10;return i`<pre class="text" tabindex="0"><${De} text=${o?bo(e,Jt*10):e} />${o&&i`<button type="button" class="more" onClick=${()=>n(!0)}>… ${e.length-Jt*10} characters more</button>`}</pre>`}function tf({value:e,whole:t}){let n=Object.entries(e),o=t?-1/0:0;return!n.length||Array.isArray(e)?i`<${Aa} value=${e} depth=${o} />`:i`<${Ia} members=${n} depth=${o} flat />`}function Aa({name:e,value:t,depth:n}){let o=e===void 0?null:i`<bdi class="json-key"><${ft} text=${e} /></bdi>`;if(!Ca(t))return i`<div class="json-line">${o}<${Xt} value=${t} /></div>`;let r=Array.isArray(t),s=Object.entries(t);if(!s.length)return i`<div class="json-line">${o}<span class="json-brace">${r?"[ ]":"{ }"}</span></div>`;let a=`${s.length} ${r?s.length===1?"item":"items":s.length===1?"field":"fields"}`;return i`<details class="json-node" open=${n<Zp}>
    <summary>${o}<span class="json-brace">${r?"[…]":"{…}"} ${a}</span></summary>
    <${Ia} members=${s} depth=${n} list=${r} />
  </details>`}function Ia({members:e,depth:t,flat:n=!1,list:o=!1}){let[r,s]=h(Qp);return i`<div class=${n?null:"json-members"}>
    ${e.slice(0,r).map(([a,l])=>i`<${Aa} key=${a} name=${o?a:Oe(a)} value=${l} depth=${t+1} />`)}
    ${e.length>r&&i`<button type="button" class="more" onClick=${()=>s(r*10)}>… ${e.length-r} more</button>`}
  </div>`}function Xt({value:e}){let[t,n]=h(!1);if(typeof e!="string")return i`<span class=${`json-${e===null?"null":e instanceof Ee?"number":typeof e}`}>${String(e)}</span>`;let o=!t&&e.length>Jt;return i`<${Ma} text=${e} cut=${o?Jt:e.length} />${o&&i`<button type="button" class="more" onClick=${()=>n(!0)}>… ${e.length-Jt} more</button>`}`}var Jt,Qp,Zp,ef,Ze,Ca,Mn=E(()=>{k();dt();Le();He();Gt();je();We();Jt=400,Qp=100,Zp=2,ef=160;Ze=e=>e===void 0?"":se(e,{indent:2}),Ca=e=>typeof e=="object"&&e!==null&&!(e instanceof Ee)});function qe({before:e,after:t,titles:n=["before","after"]}){let o=yo(e,t),r=o.some(d=>typeof d.before=="string"&&d.before.includes(`
`)),[s,a]=h(""),l=s||(r?"lines":"fields");if(!o.length)return i`<p class="soft">No difference.</p>`;let c=`Difference between ${n[0]} and ${n[1]}`;return i`<div class="diff">
    <div class="diff-head">
      <span class="soft">${nf(o)}</span>
      <${ie} label="How the difference is shown" value=${l} choices=${["fields","lines"]} onChange=${a} />
    </div>
    <div class="diff-body" role="group" aria-label=${c} tabindex="0">
      ${l==="fields"?i`<${of} found=${o} titles=${n} />`:i`<${rf} before=${e} after=${t} titles=${n} />`}
    </div>
  </div>`}function nf(e){let t=n=>e.filter(o=>o.change===n).length;return["changed","added","removed"].filter(t).map(n=>`${t(n)} ${n}`).join(", ")}function of({found:e,titles:t}){let n=e.map(o=>({path:o.path.length?xo(o.path):"value",kind:o.change,before:o.before,after:o.after}));return i`<${wo} rows=${n} titles=${t} />`}function wo({rows:e,titles:t,words:n={}}){return i`<table class="diff-table">
    <thead>
      <tr><th scope="col">field</th><th scope="col">${t[0]}</th><th scope="col">${t[1]}</th></tr>
    </thead>
    <tbody>
      ${e.map(o=>i`<tr key=${o.path}>
        <th scope="row"><code><${m} text=${o.path} /></code><span class="diff-kind">${n[o.kind]??o.kind}</span></th>
        <td>${o.kind==="added"?i`<span class="faint">–</span>`:i`<del><${Oa} value=${o.before} /></del>`}</td>
        <td>${o.kind==="removed"?i`<span class="faint">–</span>`:i`<ins><${Oa} value=${o.after} /></ins>`}</td>
      </tr>`)}
    </tbody>
  </table>`}function Oa({value:e}){return typeof e=="string"?i`<${Xt} value=${e} />`:i`<${De} text=${Ze(e)} />`}function rf({before:e,after:t,titles:n}){let[o,r]=h([]),s=Sa(ka(e,t));return i`<p class="visually-hidden">Lines that begin with a minus are only in ${n[0]}, those with a plus only in ${n[1]}.</p>
    <pre class="diff-lines">${s.map((a,l)=>"folded"in a?o.includes(l)?a.folded.map(c=>i`<${Na} line=${c} />`):i`<button type="button" class="diff-fold" onClick=${()=>r([...o,l])}>${a.folded.length} unchanged lines</button>`:i`<${Na} line=${a} />`)}</pre>`}function Na({line:e}){let t=i`${`${e.mark} ${"  ".repeat(e.depth)}${e.within?"│ ":""}`}<bdi><${ft} text=${e.text} /></bdi>${`
`}`;return e.mark==="-"?i`<del class="diff-line diff-removed">${t}</del>`:e.mark==="+"?i`<ins class="diff-line diff-added">${t}</ins>`:i`<span class=${`diff-line diff-${sf[e.mark]}`}>${t}</span>`}var sf,Zs=E(()=>{_o();k();He();Mn();je();sf={" ":"kept","-":"removed","+":"added"}});function Be({keys:e}){return i`<span class="kbd-row">
    ${e.split(" ").map(t=>i`<kbd class="kbd">${af[t]||t}</kbd>`)}
  </span>`}var af,La=E(()=>{k();af={ArrowDown:"↓",ArrowUp:"↑",ArrowLeft:"←",ArrowRight:"→",Escape:"Esc",Enter:"⏎"}});function st({label:e,icon:t,word:n,children:o,kind:r="plain",end:s=!1}){let[a,l]=h(!1),c=C(null),d=Me();_(()=>{if(!a)return;let p=f=>{let $=f instanceof KeyboardEvent?f.key:"";$&&$!=="Escape"||!$&&f.target instanceof Node&&c.current?.contains(f.target)||(l(!1),$&&(f.preventDefault(),c.current?.querySelector("button")?.focus()))};return document.addEventListener("pointerdown",p),document.addEventListener("keydown",p,!0),()=>{document.removeEventListener("pointerdown",p),document.removeEventListener("keydown",p,!0)}},[a]);let u=p=>{p.target instanceof Element&&p.target.closest("[data-close], a[href]")&&l(!1)};return i`<div class="menu" ref=${c}>
    <button
      type="button"
      class=${`button button-${r} ${n?"":"button-icon"}`}
      aria-label=${n?null:e}
      title=${e}
      aria-expanded=${String(a)}
      aria-controls=${d}
      onClick=${()=>l(!a)}
    >
      ${t&&i`<${S} name=${t} />`}${n}
    </button>
    <div id=${d} class=${`menu-box ${s?"menu-end":""}`} hidden=${!a} onClick=${u}>${a&&o}</div>
  </div>`}var Ra=E(()=>{k();oe()});function R({title:e,level:t=2,actions:n,class:o,flush:r=!1,children:s,...a}){return i`<section ...${a} class=${ee("panel",r&&"panel-flush",o)}>
    ${(e||n)&&i`<header class="panel-head">
      ${e&&i`<${`h${t}`} class="panel-title">${e}</${`h${t}`}>`}
      ${n&&i`<div class="panel-actions">${n}</div>`}
    </header>`}
    <div class="panel-body">${s}</div>
  </section>`}function q({icon:e="planned",title:t,children:n}){return i`<div class="empty">
    <${S} name=${e} size=${24} />
    <p class="empty-title">${t}</p>
    ${n&&i`<div class="empty-body">${n}</div>`}
  </div>`}function N({problem:e,retry:t}){return e?i`<div class="problem" role="alert">
    <${S} name="warning" />
    <div>
      <p>${e.message}</p>
      ${e.hint&&i`<p class="soft">${e.hint}</p>`}
    </div>
    ${t&&i`<button type="button" class="button button-plain" onClick=${t}>Try again</button>`}
  </div>`:null}function F({what:e="Loading"}){return i`<p class="loading" role="status">${e}…</p>`}function Ne({rows:e}){return i`<dl class="facts">
    ${e.filter(t=>Array.isArray(t)&&t[1]!==""&&t[1]!==void 0&&t[1]!==null).map(t=>i`<div><dt>${t[0]}</dt><dd>${t[1]}</dd></div>`)}
  </dl>`}var Da=E(()=>{k();oe()});function Ke({label:e,value:t,onChange:n,onEnter:o,placeholder:r="",children:s}){let[a,l]=h(t),c=C(t),d=C(0),u=C(null);_(()=>{t!==c.current&&(c.current=t,l(t))},[t]);let p=g=>{clearTimeout(d.current),c.current=g,n(g)},f=g=>{l(g),clearTimeout(d.current),d.current=setTimeout(()=>p(g),lf)};return i`<div class="search" role="search">
    <${S} name="search" />
    <input
      ref=${u}
      type="search"
      aria-label=${e}
      placeholder=${r}
      value=${a}
      spellcheck="false"
      autocomplete="off"
      data-search
      onInput=${g=>f(g.target.value)}
      onKeyDown=${g=>{(g.key==="Enter"||g.key==="ArrowDown")&&(p(a),o&&(g.preventDefault(),u.current?.blur(),o())),g.key==="Escape"&&(a?(l(""),p("")):u.current?.blur())}}
    />
    ${s}
  </div>`}function er(){let e=document.querySelector("main [data-search]");e?.focus(),e?.select()}var lf,Pa=E(()=>{k();oe();lf=250});function At({label:e,columns:t,rows:n,id:o,selected:r,onSelect:s}){return i`<div class="table-scroll" tabindex="0" role="region" aria-label=${e}>
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
  </div>`}var ja=E(()=>{k()});function Cn({label:e,tabs:t,value:n,href:o=r=>x(location.pathname+location.search,{tab:r})}){let r=C(null);return _(()=>{r.current?.querySelector("[aria-current]")?.scrollIntoView({block:"nearest",inline:"nearest"})},[n]),i`<nav class="tabs" aria-label=${e} ref=${r} onKeyDown=${a=>{let l={ArrowRight:1,ArrowLeft:-1}[a.key];if(!l||!r.current)return;let c=[...r.current.querySelectorAll("a")];c[(c.indexOf(document.activeElement)+l+c.length)%c.length].focus(),a.preventDefault()}}>
    ${t.map(a=>i`<a href=${o(a.id)} class="tab" aria-current=${a.id===n?"page":null}>
        ${a.title}
        ${a.count?i`<span class=${`tab-count tone-${a.tone||"plain"}`}>${a.count}</span>`:null}
      </a>`)}
  </nav>`}var qa=E(()=>{k();U()});function It({row:e,steps:t,running:n=!1,failed:o=!1}){let{done:r,undone:s,skipped:a,total:l}=tr(e),c=[...Array(r-s).fill("done"),...Array(s).fill("undone"),...Array(a).fill("skipped")],d=t||Array.from({length:Math.min(l,Ba+1)},(f,$)=>c[$]??cf($-c.length,n,o)),u=t?t.length:l,p=Fa(e);return u?i`<span class="tally" role="img" aria-label=${p} title=${p}>
    ${u>Ba?i`<span class="tally-bar"><span style=${{width:`${100*(r+a)/u}%`}}></span></span>`:d.map((f,$)=>i`<i class=${ee("notch",`notch-${f}`,$%5===4&&"notch-fifth")}></i>`)}
  </span>`:i`<span class="tally-none">ad hoc</span>`}function Fa(e){let{done:t,undone:n,skipped:o,total:r}=tr(e),s=n?`, of which ${n} undone`:"";return o?`${t} done${s}, ${o} skipped of ${r} steps`:`${t} of ${r} steps done${s}`}function rt(e){let{done:t,undone:n,skipped:o,total:r}=tr(e),s=[n&&`${n} undone`,o&&`${o} skipped`].filter(Boolean);return`${t}/${r}${s.length?` (${s.join(", ")})`:""}`}function tr(e){return{done:e.done_steps??0,undone:e.undone_steps??0,skipped:e.skipped_steps??0,total:e.total_steps??0}}function cf(e,t,n){return e?"planned":n?"failed":t?"running":"planned"}var Ba,nr=E(()=>{k();Ba=40});function vo(e){let t=localStorage.getItem(`tallystick.${e}`)||"",n=An[e];return n.includes(t)?t:n[0]}function sr(e,t){localStorage.setItem(`tallystick.${e}`,t),document.documentElement.dataset[e]=t;for(let n of or)n(Symbol(e))}function be(e){let[,t]=h(null);return _(()=>(or.add(t),()=>{or.delete(t)}),[]),vo(e)}function za(){window.addEventListener("storage",e=>{let t=e.key?.replace("tallystick.","");t&&t in An&&sr(t,vo(t))})}var An,or,et=E(()=>{k();An={theme:["system","light","dark"],density:["compact","comfortable"],time:["relative","absolute"],zone:["local","utc"]},or=new Set});function we(){let[e,t]=h(()=>Date.now());return _(()=>(ko.add(t),rr||=setInterval(()=>!document.hidden&&ko.forEach(n=>n(Date.now())),df),()=>{ko.delete(t),ko.size||(rr=void clearInterval(rr))}),[]),e}function pe(e,t=2){if(e<-uf)return"–";let n=Math.max(0,e);if(n<1e3)return`${Math.round(n)} ms`;if(n<1e4&&t>1)return`${(n/1e3).toFixed(1).replace(".0","")} s`;let o=Math.round(n/1e3),r=[];for(let[s,a]of pf){let l=Math.floor(o/s);if(o-=l*s,l&&r.push(`${l} ${a}`),r.length&&!l||r.length===t)break}return r.join(" ")}function Qt(e,t){let n=new Date(e);return Number.isNaN(n.getTime())?String(e):mf[t==="utc"?"utc":"local"].format(n)}function In(e,t){let n=new Date(e);return(n.toDateString()===new Date().toDateString()?ff:$f)[t==="utc"?"utc":"local"].format(n)}function tt(){return be("zone")==="utc"?"UTC":Intl.DateTimeFormat().resolvedOptions().timeZone}function I({at:e,lead:t="",tail:n=" ago",form:o}){let r=be("time"),s=be("zone");return e?i`<time class="time" dateTime=${e} title=${Qt(e,s)}>
    ${(o||r)==="absolute"?In(e,s):i`<${hf} at=${e} lead=${t} tail=${n} />`}
  </time>`:i`<span class="faint">–</span>`}function hf({at:e,lead:t,tail:n}){let o=we()-Date.parse(e);return o<1500&&!t?"now":`${t}${pe(Math.max(o,1e3),1)}${t?"":n}`}function $t({from:e,to:t}){return t?i`<span class="num">${pe(Date.parse(t)-Date.parse(e))}</span>`:i`<${gf} from=${e} />`}function gf({from:e}){return i`<span class="num">${pe(we()-Date.parse(e))}</span>`}var df,uf,pf,ko,rr,ir,ar,ff,$f,mf,mt=E(()=>{k();et();df=1e3,uf=3e5,pf=[[86400,"d"],[3600,"h"],[60,"min"],[1,"s"]],ko=new Set,rr=0;ir=e=>({local:new Intl.DateTimeFormat("en-GB",e),utc:new Intl.DateTimeFormat("en-GB",{...e,timeZone:"UTC"})}),ar={hour:"2-digit",minute:"2-digit",second:"2-digit"},ff=ir(ar),$f=ir({day:"numeric",month:"short",...ar}),mf=ir({dateStyle:void 0,year:"numeric",month:"short",day:"numeric",...ar,fractionalSecondDigits:3,timeZoneName:"short"})});function Ot({rows:e,height:t,row:n,looks:o,label:r,selected:s=-1,atEnd:a=!1,onEnd:l,onNear:c,onRange:d,head:u,role:p="list",outer:f="region"}){let $=C(null),[g,b]=h({top:0,room:800}),M=C(!1),v=C(new Map),y=xe(()=>{let H=$.current;H&&b(V=>{let Y=Math.floor(H.scrollTop/t)*t;return V.top===Y&&V.room===H.clientHeight?V:{top:Y,room:H.clientHeight}})},[t]);ke(()=>{let H=$.current;if(!H)return;let V=new ResizeObserver(y);return V.observe(H),y(),()=>V.disconnect()},[y]),ke(()=>{!a||!$.current||(M.current=!0,$.current.scrollTop=$.current.scrollHeight)},[a,e.length]),ke(()=>{let H=$.current;if(s<0||!H)return;let V=s*t;V<H.scrollTop?H.scrollTop=V:V+t*2>H.scrollTop+H.clientHeight&&(H.scrollTop=V+t*2-H.clientHeight)},[s,t]);let A=()=>{y();let H=$.current,V=H.scrollTop+H.clientHeight>=H.scrollHeight-t;M.current||l?.(V),M.current=!1},O=Math.max(0,Math.floor(g.top/t)-Ha),P=Math.min(e.length,Math.ceil((g.top+g.room)/t)+Ha);_(()=>{c&&P>=e.length&&c()},[P,e.length]),_(()=>d?.(O,P),[O,P,d]);let Z=new Map,L=(H,V)=>{let Y=o?.(H,V),re=v.current.get(H),B=re&&re.looks===Y?re:{looks:Y,row:n(H,V)};return Y!==void 0&&Z.set(H,B),B.row},z=e.slice(O,P).map((H,V)=>L(H,O+V));return v.current=Z,i`<div class="virtual" ref=${$} onScroll=${A} tabindex="0" role=${f} aria-label=${r} aria-rowcount=${f==="table"?e.length+1:null}>
    ${u}
    <div class="virtual-all" role=${p} style=${{height:`${e.length*t}px`}}>
      <div class="virtual-seen" role="presentation" style=${{transform:`translateY(${O*t}px)`}}>
        ${z}
      </div>
    </div>
  </div>`}var Ha,Ua=E(()=>{k();Ha=12});var j=E(()=>{Vs();He();Gt();ma();Zs();Mn();La();Ra();Da();Pa();ja();qa();nr();je();We();mt();Ut();Ua()});function ht(){let e=Ie(),[t,n]=h([]);_(()=>{let r=()=>document.hidden||T("/v1/journals").then(a=>n(l=>_f(l,a.journals)?l:a.journals),()=>{});r();let s=setInterval(r,xf);return()=>clearInterval(s)},[]);let o=Q()||e.journal;return{shown:o,others:t.filter(r=>r!==o)}}var xf,_f,On=E(()=>{K();k();U();Fe();xf=5e3;_f=(e,t)=>e.length===t.length&&e.every((n,o)=>n===t[o])});function gt(){let[e,t]=h(wf),{shown:n}=ht();_(()=>{lr||=T("/clients"),lr.then(t,()=>lr=null)},[]);let o=Ve(e.command),r=e.store?` --url ${Ve(e.store)}`:"";return{clients:e.clients,setup:`${e.store?`TALLYSTICK_URL=${Ve(e.store)} `:""}${o} setup`,commandLine:s=>`${o} ${s}${r} --journal ${Ve(n)}`}}var wf,lr,Ve,Zt=E(()=>{K();k();On();wf={clients:[],command:"tallystick",store:""},lr=null;Ve=e=>/^[\w@%+=:,./-]+$/.test(e)?e:`'${e.replaceAll("'",`'"'"'`)}'`});function Va(e,t,{reason:n="",answer:o="",text:r=""}={}){let s={verdict:t,...n.trim()?{reason:n.trim()}:{}};if(t==="respond")return o.trim()?{body:{...s,answer:o.trim()}}:{problem:"Enter an answer for the agent.",field:"answer"};if(t!=="edit")return{body:s};let a=cr(r);return"problem"in a?{problem:a.problem,field:"arguments"}:Qs(a.value,e.arguments??{})?{problem:"The arguments are unchanged. To grant the call as asked, choose Accept.",field:"arguments"}:{body:{...s,arguments:a.value}}}function cr(e){let t;try{t=qs(e)}catch(n){return vf(e,n)}return Tn(t)?{value:t}:{problem:"Arguments must be a JSON object: begin with { and end with }.",line:1}}function vf(e,t){if(!(t instanceof Tt))return{problem:"The arguments are nested too deep.",line:1};let n=e.slice(0,t.at).split(`
`).length;return{problem:`${e.trim()?t.message:"Arguments are missing"}. Check line ${n}.`,line:n}}function Eo(e,t){return t&&t.status==="expired"?"Too late: the question has expired. Nothing was granted, and the agent has to ask again.":t&&t.status==="closed"?"Too late: its execution has ended. Nothing was granted.":t&&t.status!=="pending"?`The question was already answered${t.decided_by?` by ${t.decided_by}`:t.answered_in?` in ${t.answered_in}`:""}: ${Nt(t.status)}. Your answer was not used.`:e.code==="not_permitted"||e.status===403?"You are not logged in as a person who may decide. Your answer is kept: enter a credential, and send it again.":[e.message,e.hint].filter(Boolean).join(" ")}function Nt(e){return e==="used"?"accepted, and used":e in Nn?Nn[e].past.toLowerCase():e}var Nn,en=E(()=>{_o();uo();Nn={approve:{verb:"Accept",past:"Accepted",key:"a"},edit:{verb:"Edit",past:"Accepted with other arguments",key:"e"},reject:{verb:"Reject",past:"Rejected",key:"r"},respond:{verb:"Respond",past:"Answered",key:"m"}}});function To({get:e,post:t}){return async(n,o,r)=>{let s=`/v1/approvals/${encodeURIComponent(n)}`;try{let a=await t(`${s}/decision`,o,{key:r});return{id:n,ok:!0,status:a.status,problem:""}}catch(a){let l=await e(s).catch(()=>null),{status:c}=a;return{id:n,ok:!1,status:l?.status??"",problem:Eo(a,l),refused:c===401||c===403}}}}var tn,Ln=E(()=>{en();tn=()=>`page-${crypto.randomUUID?.()??[...crypto.getRandomValues(new Uint32Array(4))].join("-")}`});async function Ef(e){let n=(await Promise.all(Sf.map(r=>T("/v1/entries",{kind:r,newest_first:!0,limit:kf},{signal:e})))).flatMap(r=>r.entries).toSorted((r,s)=>r.seq-s.seq),o=new Set;for(let{kind:r,facts:s}of n)r==="credential_added"&&s.scopes?.includes("approve")&&!(s.expires&&Tf(s.expires))?o.add(s.name):o.delete(s.name);return[...o]}function Ga(){let{data:e}=D({kinds:["credential_"]},t=>Ef(t).catch(()=>[]));return e?e.length?i`<p class="soft who-may">May decide: ${e.map((t,n)=>i`${n?", ":""}<strong><${m} text=${t} /></strong>`)}.</p>`:i`<p class="soft who-may">No one here is known to hold a credential with the scope <code>approve</code>.</p>`:null}var kf,Sf,Tf,Ja=E(()=>{K();k();te();je();kf=200,Sf=["credential_added","credential_revoked"];Tf=e=>(typeof e=="number"?e/1e3:Date.parse(e))<=Date.now()});function Ge({onDone:e,scope:t="approve"}){let[n,o]=h(""),[r,s]=h(""),[a,l]=h(!1),c=C(null),[d,u]=h(!1),p=Me(),f=gt().commandLine("credential add NAME");return i`<form class="credential" ref=${c} onSubmit=${async g=>{g.preventDefault(),l(!0);let b=n,M=await Te("/login",{token:b.trim()}).then(()=>"",Cf),v=M?null:await ut();l(!1),o(y=>y===b?"":y),v&&(t==="approve"?v.may_decide:v.scopes.includes(t))?e?.():(s(M||`This credential ${t==="approve"?"may not decide: it ":""}lacks the scope “${t}”.`),c.current?.contains(document.activeElement)&&document.getElementById(p)?.focus())}} aria-labelledby=${`${p}-title`}>
    <h2 id=${`${p}-title`} class="visually-hidden">Who are you?</h2>
    <div class="credential-row">
      <label class="field" for=${p}>
        <span>Credential <span class="faint">${Mf[t]}</span></span>
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
      ${d&&t==="approve"&&i`<${Ga} />`}
      <p class="soft">The operator of this server can create one. It is shown once:</p>
      <span class="command"><code>${f}</code><${ge} text=${f} what="the command" /></span>
    </details>
  </form>`}function Cf(e){return e.status===401||e.status===403?"This credential is unknown or no longer valid.":e.message}var Mf,nn=E(()=>{Ja();K();k();Fe();Zt();He();Gt();Mf={approve:"Deciding needs an approver’s credential. An agent’s token can never do it.",admin:"This needs a credential with the scope “admin”. An agent’s token can never do it."}});function Je(e,t,n){let o=URL.createObjectURL(new Blob(Array.isArray(t)?t:[t],{type:n})),r=Object.assign(document.createElement("a"),{href:o,download:Gf(e)});document.body.append(r),r.click(),r.remove(),setTimeout(()=>URL.revokeObjectURL(o),6e4)}function Gf(e){return e.normalize("NFKC").replaceAll(/[^\p{L}\p{N}._ -]+/gu,"-").replace(/^[.\s-]+/,"").slice(0,120)||"tallystick"}var Fn=E(()=>{});function Oo(e){let[t,n]=h({library:null,problem:null});if(_(()=>{e().then(o=>n({library:o,problem:null}),o=>n({library:null,problem:o}))},[e]),t.problem)throw t.problem;return t.library}var yl,xl,mr=E(()=>{k();yl=()=>import("./dagre-72RP2Z24.js"),xl=()=>import("./uplot-2LURMCIS.js").then(e=>e.default)});function zl(e){let[t,n]=h({lines:[],complete:!1,problem:null}),o=C([]),r=C(new Set),s=C(0),a=C(0),l=(p,f=!0)=>{o.current=p,n({lines:p,complete:f,problem:null})},c=async()=>{let p=a.current+=1,f=[],$="";do{let g=await T("/v1/actions",{execution_id:e,limit:Fl,cursor:$});if(p!==a.current)return;f=f.concat(g.actions),$=g.next_cursor||"",$&&f.length>o.current.length&&l(f,!1)}while($);l(f)},d=async()=>{s.current=0;let p=[...r.current];r.current.clear();let f=o.current;if(!f.length||p.length>L$||p.includes("*"))return c();let $=a.current,g=await T("/v1/actions",{execution_id:e,limit:Fl,cursor:f[f.length-1].id}),b=new Set(f.map(y=>y.id)),M=await Promise.all(p.filter(y=>b.has(y)).map(y=>T(`/v1/actions/${y}`)));if($!==a.current)return;if(g.next_cursor)return c();let v=new Map(M.map(y=>[y.id,y]));l([...f.map(y=>v.has(y.id)?P$(y,v.get(y.id)):y),...g.actions])},u=p=>p().catch(f=>n($=>({...$,problem:f})));return _(()=>(o.current=[],n({lines:[],complete:!1,problem:null}),u(c),()=>{a.current+=1,clearTimeout(s.current),s.current=0}),[e]),Re(p=>{let f=!p||D$.has(p.kind);!f&&p.execution_id!==e||(r.current.add(f?"*":p.id),s.current||=setTimeout(()=>u(d),R$))}),t}function P$(e,t){let{state:n,ended:o,lost:r,undo_state:s,undone_by:a,attempt:l}=t;return{...e,state:n,ended:o,lost:r,undo_state:s,undone_by:a,attempt:l}}var Fl,L$,R$,D$,Hl,br=E(()=>{K();k();te();Fl=2e3,L$=12,R$=60,D$=new Set(["session_ended","body_erased"]);Hl=e=>e.summary||e.tool||e.step||e.id});function Do(){let[e,t]=h(""),{shown:n,others:o}=ht(),{clients:r,setup:s,commandLine:a}=gt(),l=[...new Set(r.map(d=>d.client))],c=r.filter(d=>d.client===(e||l[0]));return i`<div class="page first-steps">
    <header class="first-steps-head">
      <${ho} size=${40} />
      <h1>Nothing is recorded yet</h1>
      <p class="soft">Plans, actions, decisions and undo lists appear here as soon as they are recorded. The page updates itself.</p>
      <p class="first-steps-wait" role="status"><span class="pulse"></span>Waiting for the first entry in <code>${n}</code>…</p>
      ${o.length>0&&i`<p role="status">Each project has its own journal. Journals with entries:
        ${o.slice(0,vr).map((d,u)=>i`${u?", ":" "}<a href=${`/?journal=${encodeURIComponent(d)}`}>${d}</a>`)}${o.length>vr?` and ${o.length-vr} more`:""}.</p>`}
    </header>
    <div class="first-steps-ways">
      <${R} title="1. Record every call" level=${2}>
        <p>One command sets up the hooks of Claude Code, Codex, Gemini CLI, Cursor and Copilot. It shows what it changes,
        and <code>setup --remove</code> reverts it.</p>
        <${kr} text=${s} />
      </${R}>
      <${R} title="2. Give the agent the journal's tools" level=${2}>
        <p>With the tools, an agent can record plans and decisions, and read what the last agent did.</p>
        ${l.length>0&&i`<${ie} label="Client" value=${e||l[0]} choices=${l} onChange=${t} />`}
        ${c.map(d=>i`<div class="snippet" key=${d.over+d.where+d.client}>
            <p class="soft">${d.where.replaceAll("`","")}${d.over==="http"?", through this server":""}</p>
            <${kr} text=${d.text} />
          </div>`)}
      </${R}>
      <${R} title="3. Or write the first entry yourself" level=${2}>
        <${kr} text=${a('record execution-start --title "Clean up"')} />
        <p class="soft"><${S} name="right" />This page then shows the execution.</p>
      </${R}>
    </div>
  </div>`}function kr({text:e}){return i`<div class="snippet-command"><pre tabindex="0"><code>${e}</code></pre><${ge} text=${e} what="command" /></div>`}var vr,Sr=E(()=>{k();oe();On();Zt();j();vr=8});function ac(e){let t=[];for(let[,n,o,r]of e.matchAll(/(?:([a-z]+):)?(?:"([^"]*)"|(\S+))/g)){let s=o??r??"";n&&!(n in rc)?t.push({field:"",value:`${n}:${s}`}):t.push({field:n||"",value:s})}return t}function Wn(e){return e.map(({field:t,value:n})=>`${t?`${t}:`:""}${/\s/.test(n)?`"${n}"`:n}`).join(" ")}function lc(e){let t={status:[]},n=[];for(let{field:o,value:r}of e)!o||o==="tool"?n.push(r):o==="status"?t.status.push(...r==="open"?Er:r.split(",")):t[rc[o]]=r;return{...t,text:n.join(" ")}}function cc(e,t){let n=e.filter(r=>r.field!==t.field||r.value!==t.value);if(n.length<e.length)return n;let o=t.field==="status"||t.field==="only";return[...e.filter(r=>!o||r.field!=="status"&&r.field!=="only"),t]}var rc,nm,Er,ic,Tr=E(()=>{rc={status:"status",agent:"actor",client:"client",task:"task_id",plan:"plan_id",tool:"tool",only:"only",since:"since",until:"until"},nm=["running","blocked","paused","unwinding","completed","failed","cancelled","closed"],Er=["running","blocked","paused","unwinding"],ic=[["status:",`${nm.join(", ")}, or open`],["agent:","the agent that started it"],["client:","claude-code, codex-cli, …"],["task:","the task of the execution"],["tool:","a tool that was called"],["only:","in_doubt, owed, waiting or interrupted"],["since:","2d, 4h or a date; until: too"]]});function sn({row:e,selected:t,index:n,onFocus:o}){return i`<div class=${ee("exec",t&&"exec-selected")} role="listitem" data-index=${n}>
    <span class="exec-state"><${W} state=${e.interrupted?"interrupted":e.status} /></span>
    <span class="exec-what">
      <a class="exec-link cut" href=${x(`/x/${e.id}`)} onFocus=${o}><${m} text=${e.title||e.id} /></a>
      <span class="exec-meta cut">
        ${e.actor&&i`<span><${m} text=${e.actor} /></span>`}
        ${e.client&&i`<span>${e.client}</span>`}
        ${e.task_id&&i`<span>${e.task_id}</span>`}
        <code>${e.id}</code>
      </span>
    </span>
    <span class="exec-plan">
      <${It} row=${e} running=${e.status==="running"&&!e.interrupted} failed=${!!e.failed&&!["running","completed"].includes(e.status)} />
      ${e.total_steps?i`<span class="exec-step cut">${rt(e)}${e.step&&e.status!=="completed"?i` · ${e.step}`:null}</span>`:null}
    </span>
    <span class="exec-flags"><${sm} row=${e} /></span>
    <span class="exec-last"><${rm} row=${e} /></span>
  </div>`}function sm({row:e}){let t=e.failed??e.actions?.failed??0;return i`
    ${e.waiting?i`<${ne} tone="waiting" icon="blocked" title="Approvals pending">${e.waiting} pending</${ne}>`:null}
    ${e.in_doubt?i`<${ne} tone="doubt" icon="in_doubt" title="Actions with an unknown outcome">${e.in_doubt} in doubt</${ne}>`:null}
    ${t?i`<${ne} tone="failed" icon="failed" title="Actions that failed">${t} failed</${ne}>`:null}
    ${e.owed?i`<${ne} tone="undo" icon="owed" title="Somebody still has to undo this">${e.owed} owed</${ne}>`:null}
  `}function rm({row:e}){return e.interrupted?i`<span class="quiet" title=${`last worked on by ${e.interrupted_by||"a session"} (${e.last_session})`}><${I} at=${e.interrupted} lead="left " /></span>`:e.status!=="running"&&e.status!=="unwinding"?i`<${I} at=${Er.includes(e.status)?e.last:e.ended||e.last} />`:i`<${im} at=${e.last} />`}function im({at:e}){let t=we()-Date.parse(e)>om;return i`<span class=${t?"quiet":null}><${I} at=${e} lead=${t?"quiet for ":""} /></span>`}function dc({group:e,count:t,by:n,more:o}){return i`<div class="exec-group" role="listitem">
    <strong>${e||`no ${n}`}</strong><span class="faint">${t}${o?"+":""}</span>
  </div>`}var om,Po=E(()=>{k();U();j();Tr();om=12e4});function Gn(e,t){if(!e)return{text:"no time limit",urgency:"none",next:1/0};let n=Date.parse(e)-t;if(n<=0)return{text:"expired",urgency:"over",next:1/0};let o=n<=ym?"soon":"calm",[r,s]=bm.find(([,c])=>n>=2*c)??["s",1e3],a=s===1e3,l=a?Math.ceil(n/s):Math.floor(n/s);return{text:`${l} ${r} left`,urgency:o,next:a?n-(l-1)*s:n-l*s+1}}function $c(e){let t=n=>n.expires?Date.parse(n.expires):1/0;return e.toSorted((n,o)=>(t(n)===t(o)?0:t(n)-t(o))||(n.id<o.id?-1:1))}var bm,ym,qo=E(()=>{bm=[["d",864e5],["h",36e5],["min",6e4]],ym=10*6e4});function kc(){return Re(e=>{e?.kind==="approval_requested"&&vc()&&!document.hasFocus()&&Cm(e)}),null}function Cm(e){let t=typeof e.body?.question=="string"?e.body.question:"An agent has a question.",n=new Notification(_e(t.slice(0,200)),{body:`${_e(e.facts?.tool||e.actor)} is waiting for you`,tag:e.id});n.onclick=()=>{window.focus(),ce(x(`/approvals/${e.id}`)),n.close()}}function Sc(){let[e,t]=h(vc);return wc()?i`<${w} icon="bell" pressed=${e} onClick=${async()=>{if(e)return localStorage.removeItem(Ir),t(!1);if(await Notification.requestPermission()!=="granted")return $e("The browser does not allow notifications. Change its settings for this site.","failed");localStorage.setItem(Ir,"yes"),t(!0)}}>Notify me<//>`:null}var Ir,wc,vc,Or=E(()=>{k();te();U();He();Ut();We();Ir="tallystick.notify",wc=()=>"Notification"in window&&window.isSecureContext,vc=()=>localStorage.getItem(Ir)==="yes"&&wc()&&Notification.permission==="granted"});function Nc({approvals:e,onVerdict:t,onClear:n}){return i`<div class="batch-bar" role="region" aria-label="Selected questions">
    <strong>${e.length} selected</strong>
    <${w} kind="primary" icon="check" onClick=${()=>t("approve")}>Accept<//>
    <${w} icon="close" onClick=${()=>t("reject")}>Reject<//>
    <${w} kind="ghost" onClick=${n}>Clear<//>
  </div>`}function Lc({approvals:e,verdict:t,onClose:n}){let[o,r]=h(""),[s,a]=h({}),[l,c]=h(!1),[d]=h(()=>Object.fromEntries(e.map(g=>[g.id,tn()]))),u=t==="approve",p=Object.keys(s).length,f=()=>n(Object.values(s).filter(g=>g.ok).map(g=>g.id)),$=async g=>{g.preventDefault(),c(!0);for(let b of e){let M={verdict:t,...o.trim()?{reason:o.trim()}:{}},v=await Xm(b.id,M,d[b.id]);a(y=>({...y,[b.id]:v}))}};return i`<${Qe} wide title=${`${u?"Accept":"Reject"} ${e.length} questions`} onClose=${f}>
    <form class="batch" onSubmit=${$}>
      <p class="soft">Each question is decided separately, and bound to its own exact arguments. If one fails, the others are still decided.</p>
      <ul class="batch-rows">
        ${e.map(g=>i`<li key=${g.id}>
          <div class="batch-question">
            <span><${m} text=${g.question} /></span>
            ${g.tool&&i`<pre class="batch-call" tabindex="0"><${m} text=${g.tool} /> <${De} text=${Ze(g.arguments??{})} /></pre>`}
          </div>
          <${Qm} outcome=${s[g.id]} sent=${l} />
        </li>`)}
      </ul>
      ${l?i`<p role="status">${p<e.length?`Deciding ${p+1} of ${e.length}…`:Zm(s)}</p>
            <${w} kind="primary" disabled=${p<e.length} onClick=${f}>Close<//>`:i`<label class="field"><span>One reason for all</span>
              <input type="text" value=${o} maxlength="2000" onInput=${g=>r(g.target.value)} /></label>
            <div class="verdict-send">
              <${w} kind=${u?"primary":"danger"} type="submit" icon=${u?"check":"close"}>
                ${u?"Accept":"Reject"} all ${e.length}
              <//>
              <${w} kind="ghost" onClick=${f}>Not yet<//>
            </div>`}
    </form>
  <//>`}function Qm({outcome:e,sent:t}){return e?i`<span class=${`batch-outcome tone-${e.ok?"ok":"failed"}`}>
    <${S} name=${e.ok?"check":"warning"} /> ${e.ok?Nt(e.status):e.problem}
  </span>`:i`<span class="batch-outcome faint">${t?"waiting":""}</span>`}function Zm(e){let t=Object.values(e),n=t.filter(o=>o.ok).length;return n===t.length?`All ${n} were decided.`:`${n} of ${t.length} were decided; the others show the reason.`}var Xm,Rc=E(()=>{K();k();oe();j();je();en();Ln();Xm=To({get:T,post:Te})});function Pt(e,t){return e.status==="pending"&&Gn(e.expires??"",t).urgency==="over"?"expired":e.status}function zo({expires:e=""}){let t=be("zone"),{text:n,urgency:o}=Gn(e,we());return o==="none"?i`<span class="expiry faint">${n}</span>`:i`<time class=${`expiry expiry-${o}`} dateTime=${e} title=${`expires ${Qt(e,t)}`}>
    <${S} name=${o==="soon"?"warning":"late"} size=${14} /> ${n}
  </time>`}var Ho=E(()=>{k();oe();mt();et();qo()});function Dc({approval:e}){let{data:t}=D({by:[e.id],kinds:["body_erased"]},s=>th(e,s));if(!t||!e.execution_id)return null;let{why:n,plan:o,actions:r}=t;return i`<aside class="background" aria-label="Background">
    ${n&&i`<section><h3>Why it is asked</h3><p><${m} text=${n} /></p></section>`}
    ${o&&(o.reasoning||o.goal)&&i`<section><h3>The plan</h3>
      <p><a href=${x(`/plans/${o.id}`)}><${m} text=${o.title||o.id} /></a></p>
      ${o.goal&&i`<p class="soft">Goal: <${m} text=${o.goal} /></p>`}
      ${o.reasoning&&i`<p class="soft">Reason: <${m} text=${o.reasoning} /></p>`}
      ${o.reason&&i`<p class="soft">Revised: <${m} text=${o.reason} /></p>`}</section>`}
    <section><h3>Done before</h3>
      ${r.length?i`<ol class="background-actions">${r.map(s=>i`<li key=${s.id}>
            <a href=${x(`/x/${e.execution_id}`,{action:s.id})}><${m} text=${Hl(s)} /></a>
            <span class="background-state"><${W} state=${s.state} quiet /><span class="faint"><${I} at=${s.begun} /></span></span>
          </li>`)}</ol>`:i`<p class="soft">Nothing was recorded before the question.</p>`}</section>
  </aside>`}async function th(e,t){let n=e.execution_id;if(!n)return{why:"",plan:null,actions:[]};let[o,r,s]=await Promise.all([nh(e,t),e.plan_id?T(`/v1/plans/${encodeURIComponent(e.plan_id)}`,{},{signal:t}).catch(()=>null):null,T("/v1/actions",{execution_id:n,until:e.asked,newest_first:!0,limit:eh},{signal:t})]),a=r?.revisions?.reduce((l,c)=>c.revision>l.revision?c:l);return{why:o,plan:a||null,actions:s.actions}}async function nh(e,t){let o=(await T("/v1/entries",{id:e.id,execution_id:e.execution_id,limit:1},{signal:t})).entries[0]?.seq;if(!o)return"";let s=(await T("/v1/entries",{execution_id:e.execution_id,after:o,limit:1},{signal:t})).entries[0];return s?.facts?.approval_id===e.id&&s.body?.why||""}var eh,Pc=E(()=>{K();br();k();te();U();j();eh=5});function Bc(e){let t=e.failure_policy??"manual_decision";return typeof t=="string"?{action:t,reason:"",to:[]}:{action:t.action??"manual_decision",reason:t.reason??"",to:t.propagate_to??[]}}function Uo(e){return e?typeof e=="string"?{words:e,tool:""}:e.words||e.tool?{words:e.words??"",tool:e.tool??"",arguments:e.arguments}:null:null}function Fc(e,t){let n=new Map(e.map((a,l)=>[a.id,l])),o=t.filter(a=>n.has(a.id)).map(a=>a.id),r=e.filter(a=>t.some(l=>l.id===a.id)).map(a=>a.id),s=t.map(a=>{let l=n.get(a.id);if(l===void 0)return{id:a.id,change:"added",after:a,fields:[]};let c=yo(e[l],a),d=[...new Set(c.map(f=>xo(f.path.slice(0,1))))],u=o.indexOf(a.id)!==r.indexOf(a.id),p=d.length?"changed":u?"moved":"same";return{id:a.id,change:p,before:e[l],after:a,fields:d}});return e.forEach((a,l)=>{if(t.some(u=>u.id===a.id))return;let c=e.slice(l+1).find(u=>s.some(p=>p.id===u.id)),d=c?s.findIndex(u=>u.id===c.id):s.length;s.splice(d,0,{id:a.id,change:"removed",before:a,fields:[]})}),s}function zc(e,t){return["title","goal","reasoning"].filter(n=>(e[n]??"")!==(t[n]??"")).map(n=>({name:n,before:e[n]??"",after:t[n]??""}))}var jc,qc,Wo=E(()=>{_o();jc={reversible:{word:"reversible",icon:"unwinding",tone:"ok"},"partially-reversible":{word:"partly reversible",icon:"owed",tone:"doubt"},irreversible:{word:"irreversible",icon:"cancelled",tone:"failed"}},qc={cancel_all:"cancel all",cancel_dependent:"cancel dependent steps",continue_others:"continue other steps",manual_decision:"a person or agent decides"}});function Hc({steps:e,chosen:t=""}){return i`<ol class="steps">
    ${e.map((n,o)=>i`<li key=${n.id} id=${`step-${n.id}`} class=${n.id===t?"is-chosen":null}>
      <span class="step-number num" aria-hidden="true">${o+1}</span>
      <div class="step-body"><${Rr} step=${n} /></div>
    </li>`)}
  </ol>`}function Rr({step:e}){return i`
    <div class="step-head">
      <h3><${m} text=${e.title||e.id} /></h3>
      <code class="soft"><${m} text=${e.id} /></code>
      <span class="step-end">
        ${e.needs_approval&&i`<${ne} tone="waiting" icon="person">needs approval<//>`}
        <${Dr} step=${e} />
      </span>
    </div>
    <dl class="step-facts">
      ${e.tool&&i`<div><dt>tool</dt><dd><code><${m} text=${e.tool} /></code> <span class="soft">${e.effect??"unsafe"}</span></dd></div>`}
      <div><dt>after</dt><dd>${e.after?.length?e.after.map((t,n)=>i`${n?", ":""}<a href=${`#step-${t}`} data-native><${m} text=${t} /></a>`):i`<span class="faint">nothing</span>`}</dd></div>
      <div><dt>undo</dt><dd><${oh} step=${e} /></dd></div>
      <div><dt>if it fails</dt><dd><${sh} step=${e} /></dd></div>
      <div><dt>estimate</dt><dd>${e.estimate===void 0||e.estimate===null?i`<span class="faint">none</span>`:pe(e.estimate*1e3)}</dd></div>
      ${e.probe?i`<div><dt>probe</dt><dd><${m} text=${typeof e.probe=="string"?e.probe:e.probe.words||e.probe.tool} /></dd></div>`:null}
    </dl>
    ${e.arguments&&Object.keys(e.arguments).length?i`<details class="step-arguments"><summary>Arguments</summary><${ae} value=${e.arguments} label=${`arguments of ${e.id}`} whole /></details>`:null}`}function Dr({step:e}){let{word:t,icon:n,tone:o}=jc[e.cancellable]??{word:e.cancellable,icon:"planned",tone:"idle"};return i`<${ne} tone=${o} icon=${n}>${t}<//>`}function oh({step:e}){let t=Uo(e.undo),n=e.undo_until?i` <span class="soft">until ${e.undo_until} after its end</span>`:null;return t?i`<${m} text=${t.words} />${t.tool&&i` <code><${m} text=${t.tool} /> ${t.arguments&&i`<${m} text=${se(t.arguments)} />`}</code>`}${n}`:e.effect==="read"?i`<span class="faint">it only reads</span>`:e.cancellable==="irreversible"?i`<span class="faint">cannot be undone</span>`:i`<span class="step-warning"><${S} name="warning" size=${14} /> no undo recorded</span>`}function sh({step:e}){let{action:t,reason:n,to:o}=Bc(e);return i`${qc[t]??t}${o.length?i` (<${m} text=${o.join(", ")} />)`:null}${n&&i` <span class="soft">because <${m} text=${n} /></span>`}`}var Ko=E(()=>{k();oe();Le();j();Wo()});function Jc(e){let t=Gc(e);return lh.test(t)?"switch":ch.test(t)?"amount":dh.test(t)?"target":""}function uh(e,t){return/^dry_?run$/.test(Gc(e))?t===!0?"a rehearsal":t===!1?"not a rehearsal":"":t===!0?"is on":""}function qr(e){let t={first:[],plain:[],lists:[],nested:[]};if(!jt(e)||Array.isArray(e))return Array.isArray(e)&&t.lists.push(["arguments",e]),t;for(let[n,o]of Object.entries(e))Array.isArray(o)&&o.length?t.lists.push([n,o]):jt(o)&&Object.keys(o).length?t.nested.push([n,o]):Yc(t,[n],o);for(let[n,o]of t.nested)Xc(t,[n],o);return t.first.sort((n,o)=>Uc.indexOf(n.danger)-Uc.indexOf(o.danger)),t}function Yc(e,t,n){let o=t[t.length-1],r=Jc(o),s={path:t,value:n,danger:r,note:r==="switch"?uh(o,n):""};(r?e.first:e.plain).push(s)}function Xc(e,t,n){if(!(!jt(n)||Array.isArray(n)||t.length>=rh))for(let[o,r]of Object.entries(n))jt(r)?Xc(e,[...t,o],r):Jc(o)&&Yc(e,[...t,o],r)}function Zc(e){return e.length>1&&e.every(n=>jt(n)&&!Array.isArray(n))?[...new Set(e.flatMap(n=>Object.keys(n)))]:[]}function Br(e){let t=e.map(r=>typeof r=="number"||r instanceof Ee?String(r):"");if(t.every(r=>ph.test(r)))return fh(t);let n=new Map;for(let r of e){let s=se(r,{sorted:!0});n.set(s,(n.get(s)||0)+1)}if(n.size===1)return`the same in all ${e.length}: ${Pr([...n.keys()][0])}`;if(n.size<=ah)return[...n].map(([r,s])=>`${s} × ${Pr(r)}`).join(", ");let o=[...n.values()].filter(r=>r>1).length;return`${n.size} different${o?`, ${o} of them more than once`:""}`}function fh(e){let t=Math.max(...e.map(l=>(l.split(".")[1]||"").length)),n=e.map(l=>BigInt(l.replace(".","")+"0".repeat(t-(l.split(".")[1]||"").length))),o=n.toSorted((l,c)=>l<c?-1:l>c?1:0),[r,s]=[o[0],o[o.length-1]].map(l=>Wc(l,t)),a=Wc(n.reduce((l,c)=>l+c,0n),t);return`${r===s?`each ${r}`:`${r} to ${s}`}, together ${a}`}function Wc(e,t){let n=String(e<0n?-e:e).padStart(t+1,"0"),o=t?`${n.slice(0,-t)}.${n.slice(-t)}`:n;return e<0n?`-${o}`:o}function ed(e,t){let{first:n,plain:o,lists:r,nested:s}=qr(t),a=new Set(s.map(([u])=>u)),l=[...n,...o].map(({path:u,value:p})=>`${u.map(Oe).join(".")} ${Pr(se(p))}`),c=[...a].filter(u=>!n.some(({path:p})=>p[0]===u));return[/\s/.test(e)?JSON.stringify(e):e,...l,...r.map(([u,p])=>`${p.length} ${Oe(u)}`),...c.map(u=>`${Oe(u)} {…}`)].filter(Boolean).join(" · ")}function td(e,t){let n=jr(e,t);return{undo:n,waits:mh.test(typeof n=="string"?n:se(n??null))}}function jr(e,t){if(Array.isArray(e))return e.map(o=>jr(o,t));if(jt(e))return Object.fromEntries(Object.entries(e).map(([o,r])=>[o,jr(r,t)]));if(typeof e!="string")return e;let n=e.match(/^\$\{arguments((?:\.[^.{}]+)+)\}$/);return n?Vc(n[1],t)??e:e.replace($h,(o,r)=>{let s=Vc(r,t);return s===void 0?o:typeof s=="string"?s:se(s)})}function Vc(e,t){for(let n of e.split(".").slice(1)){if(!jt(t)||!Object.hasOwn(t,n))return;t=t[n]}return t===null||typeof t=="string"&&t.startsWith("[masked")?void 0:t}var rh,ih,ah,lh,ch,dh,Gc,jt,Uc,Qc,ph,Kc,Pr,$h,mh,Fr=E(()=>{dt();Le();We();rh=4,ih=8,ah=3,lh=/^(dry_?run|forced?|recursive|overwrite|confirm(ed)?|yes|all|permanent(ly)?|hard|purge|cascade|prune|wipe|unsafe|insecure|public|sudo|privileged|auto_?approve|(no|skip|allow|ignore|delete|disable)_\w+)$/,ch=/(^|_)(amount|total|sum|price|cost|fee|budget|currency|quantity|count|limit|max|percent|rate|days|replicas)$/,dh=/(^|_)(to|target|destination|dest|recipients?|host(name)?|server|ur[li]|path|file(name)?|dir(ectory)?|folder|bucket|branch|env(ironment)?|region|cluster|namespace|database|db|table|account|user|email|role|project|tenant|domain|channel|command|cmd|query|sql|script)$/,Gc=e=>e.replace(/([a-z0-9])([A-Z])/g,"$1_$2").replace(/[\s.-]+/g,"_").toLowerCase(),jt=e=>typeof e=="object"&&e!==null&&!(e instanceof Ee);Uc=["switch","amount","target"];Qc=e=>e.length>ih;ph=/^-?\d+(?:\.\d+)?$/;Kc=40,Pr=e=>e.length>Kc?`${e.slice(0,Kc)}…`:e;$h=/\$\{arguments((?:\.[^.{}]+)+)\}/g,mh=/\$\{result[^{}]*\}/});function od({approval:e}){let t=e.arguments,n=t==null||!Object.keys(t).length;return i`<${R} class="call" level=${3} actions=${e.cancellable&&i`<${Dr} step=${e} />`} title=${i`${e.unbound?"A call of":"Exactly this call:"} <code><${m} text=${e.tool||"unnamed tool"} /></code>`}>
    ${n?i`<p class="soft">No arguments.</p>`:i`<${gh} value=${t} />`}
    <${kh} approval=${e} />
    ${e.digest&&!e.edited&&i`<p class="soft digest">An answer is bound to this call by its digest <code>${e.digest.slice(0,16)}…</code><${ge} text=${e.digest} what="the digest" /></p>`}
  <//>`}function gh({value:e}){let{first:t,plain:n,lists:o,nested:r}=qr(e),s=se(e).includes("[masked:");return i`<div class="call-arguments" role="group" aria-label="Arguments">
    ${t.length?i`<div class="call-first"><h4>Check first</h4><${nd} fields=${t} /></div>`:null}
    ${n.length?i`<${nd} fields=${n} />`:null}
    ${r.map(([a,l])=>i`<div class="call-part" key=${a}><h4><code><${m} text=${Oe(a)} /></code></h4><${ae} value=${l} label=${a} whole /></div>`)}
    ${o.map(([a,l])=>i`<${bh} key=${a} name=${a} list=${l} />`)}
    ${s&&i`<p class="note"><${S} name="warning" size=${14} /> A secret is masked here. The call is bound to the real value, which nobody can read.</p>`}
    <${vh} value=${e} />
  </div>`}function nd({fields:e}){return i`<dl class="call-fields">
    ${e.map(({path:t,value:n,danger:o,note:r})=>i`<div key=${t.join(".")} class=${o==="switch"?"call-field is-switch":"call-field"}>
      <dt><code><${m} text=${t.map(Oe).join(".")} /></code></dt>
      <dd><${Xt} value=${n} />${r&&i` <span class="call-note"><${S} name="warning" size=${14} /> ${r}</span>`}</dd>
    </div>`)}
  </dl>`}function bh({name:e,list:t}){let[n,o]=h(""),[r,s]=h(!1),a=Me(),l=Qc(t),c=t.map((f,$)=>({value:f,at:$})).filter(({value:f})=>!n||yh(f).includes(n.toLowerCase())),d=r||!l?c:c.slice(0,hh),u=Zc(t),p=c.length-d.length;return i`<section class="call-part call-list" aria-labelledby=${a}>
    <h4 id=${a}><code><${m} text=${Oe(e)} /></code> <span class="call-count">${t.length} ${t.length===1?"item":"items"}</span></h4>
    ${l&&i`<${xh} list=${t} columns=${u} />`}
    ${l&&i`<label class="call-filter"><span class="visually-hidden">Filter ${e}</span>
      <input type="search" placeholder=${`Filter the ${t.length} items`} value=${n} onInput=${f=>o(f.target.value)} /></label>`}
    ${u.length?i`<${_h} name=${e} rows=${d} columns=${u} />`:i`<${wh} rows=${d} />`}
    ${l&&i`<p class="call-more" role="status">
      ${n?`${c.length} of ${t.length} match. `:""}${p>0?i`<strong>${p} more ${p===1?"item is":"items are"} not shown.</strong> `:`All ${c.length} are shown.`}
      ${p>0&&i`<button type="button" class="button button-plain" onClick=${()=>s(!0)}>Show all ${c.length}</button>`}
    </p>`}
  </section>`}function xh({list:e,columns:t}){return t.length?i`<dl class="call-summary">${t.map(n=>{let o=e.filter(s=>Object.hasOwn(s,n)).map(s=>s[n]),r=e.length-o.length;return i`<div key=${n}><dt><code><${m} text=${Oe(n)} /></code></dt><dd><${m} text=${`${Br(o)}${r?`, missing in ${r}`:""}`} /></dd></div>`})}</dl>`:i`<p class="call-summary"><${m} text=${Br(e)} /></p>`}function _h({name:e,rows:t,columns:n}){return i`<div class="table-scroll" tabindex="0" role="region" aria-label=${`Items of ${e}`}>
    <table class="table call-table">
      <thead><tr><th scope="col">item</th>${n.map(o=>i`<th scope="col"><code><${m} text=${Oe(o)} /></code></th>`)}</tr></thead>
      <tbody>${t.map(({value:o,at:r})=>i`<tr key=${r}><th scope="row" class="num">${r+1}</th>
        ${n.map(s=>i`<td>${Object.hasOwn(o,s)?i`<${sd} value=${o[s]} />`:i`<span class="faint">missing</span>`}</td>`)}</tr>`)}</tbody>
    </table>
  </div>`}function wh({rows:e}){return i`<ol class="call-items">${e.map(({value:t,at:n})=>i`<li key=${n}><span class="faint num">${n+1}</span> <${sd} value=${t} /></li>`)}</ol>`}function sd({value:e}){return typeof e=="object"&&e!==null&&!(e instanceof Ee)?i`<code class="call-json"><${De} text=${se(e)} /></code>`:i`<${Xt} value=${e} />`}function vh({value:e}){let[t,n]=h(!1),o=se(e,{indent:2});return i`<details class="call-whole" onToggle=${r=>n(r.target.open)}>
    <summary>All arguments as JSON <span class="faint">${o.length} characters</span></summary>
    ${t&&i`<pre class="text" tabindex="0"><${De} text=${o} /></pre>`}
  </details>`}function kh({approval:e}){if(!e.cancellable)return null;let{undo:t,waits:n}=td(e.undo,e.arguments),o=Uo(t);return i`<div class="call-undo">
    <p>${e.cancellable==="irreversible"?i`<span class="soft">It cannot be undone.</span>`:o?i` <span class="soft">To undo it:</span> <${m} text=${o.words} />${o.tool&&i` <code><${m} text=${o.tool} /></code>`}`:i` <span class="soft">No undo is recorded.</span>`}</p>
    ${o?.tool&&o.arguments&&Object.keys(o.arguments).length?i`<${ae} value=${o.arguments} label="arguments of the undo" whole />`:null}
    ${n&&i`<p class="soft">A part of it, written <code>\${result…}</code>, is known after the call.</p>`}
  </div>`}var hh,yh,rd=E(()=>{k();oe();dt();Le();Ko();Wo();j();Mn();je();We();Fr();hh=8;yh=e=>(typeof e=="string"?e:se(e)).toLowerCase()});function ad({approval:e,onChoose:t,last:n=""}){let{options:o=[]}=e,r=C(null);_(()=>{n&&r.current?.querySelector(`.verdict-${n}`)?.focus()},[]);let s=a=>{As(an(e),{...yn(an(e)),verdict:"respond",answer:a}),t("respond")};return i`<div class="verdict-bar" ref=${r}>
    ${o.length?i`<div class="verdict-options" role="group" aria-label="Offered by the agent">
          <span class="soft">${it(e)?"Answer without granting the call:":"Answer:"}</span>
          ${o.map(a=>i`<${w} key=${a} kind=${it(e)?"plain":"primary"} class="verdict-option" onClick=${()=>s(a)}><${m} text=${a} /><//>`)}
        </div>`:null}
    <div class="verdicts" role="group" aria-label="Answer" tabindex="-1">
      ${Object.entries(Nn).filter(([a])=>zr(e,a)).map(([a,{verb:l,key:c}])=>i`<${w}
          key=${a} kind=${a==="approve"?"primary":"plain"} icon=${id[a]}
          class=${`verdict verdict-${a}`} aria-keyshortcuts=${c} onClick=${()=>t(a)}
        >${l}<//>`)}
    </div>
  </div>`}function zr(e,t){return t==="edit"?it(e):t!=="approve"||it(e)||!!e.step||!e.options?.length}function ld(e){let{verdict:t=""}=yn(an(e));return t in Nn?t:""}function cd({approval:e,verdict:t,decide:n,over:o=!1,onSend:r,onDone:s,onCancel:a}){let l=xa(Ze(e.arguments??{})),[c,d,u]=ao(an(e),{reason:"",answer:"",text:l,key:"",sent:""}),[p,f]=h(!1),[$,g]=h(!1),b=C(null),M=Me(),v=Va(e,t,c),y="problem"in v?v:null,A=L=>z=>d({verdict:t,[L]:z.target.value});_(()=>{let L=matchMedia("(pointer: coarse)").matches&&t!=="edit";b.current?.querySelector(L?"[type=submit]":"textarea, input")?.focus({preventScroll:!0})},[t]);let O=async L=>{if(L.preventDefault(),f(!0),y||$||o)return;g(!0),r?.();let{body:z}=v,H=se(z),V=c.sent===H&&c.key?c.key:tn();d({verdict:t,sent:H,key:V});let Y=await n(e.id,z,V);Y.ok&&u(),g(!1),s(Y)},P=()=>{o?u():d({verdict:""}),a()};return i`<form class="verdict-form" ref=${b} onSubmit=${O} onKeyDown=${L=>{L.key==="Escape"&&(L.stopPropagation(),P()),L.key==="Enter"&&(L.metaKey||L.ctrlKey)&&O(L)}} aria-labelledby=${`${M}-title`}>
    <h3 id=${`${M}-title`}>${Sh[t]}</h3>
    ${t==="edit"&&i`<${Th} approval=${e} text=${c.text} onInput=${A("text")} />`}
    ${t==="respond"&&i`<${Mh} approval=${e} value=${c.answer} onInput=${A("answer")} onPick=${L=>d({verdict:t,answer:L})} />`}
    <label class="field">
      <span>Reason <span class="faint">recorded in the journal, and shown to the agent</span></span>
      <input type="text" value=${c.reason} onInput=${A("reason")} autocomplete="off" maxlength="2000" />
    </label>
    <p class="field-problem" role="alert">${p&&y?y.problem:""}</p>
    <div class="verdict-send">
      <${w} kind=${t==="reject"?"danger":"primary"} type="submit" disabled=${$||o} icon=${id[t]}>${Eh[t]}<//>
      <${w} kind="ghost" onClick=${P}>${o?"Close":"Not yet"}<//>
    </div>
  </form>`}function Th({approval:e,text:t,onInput:n}){let o=Me(),r=cr(t),s=se(e.arguments??{}).includes("[masked:");return i`<div class="editor">
    <label class="field" for=${o}><span>Arguments of <code><${m} text=${e.tool||"the call"} /></code>, as JSON</span></label>
    <textarea
      id=${o} class="editor-text" spellcheck="false" autocapitalize="off" autocomplete="off"
      rows=${Math.min(18,Math.max(5,t.split(`
`).length+1))} value=${t}
      aria-invalid=${"problem"in r?"true":null} aria-describedby=${`${o}-status`} onInput=${n}
    ></textarea>
    <p id=${`${o}-status`} class="editor-status" role="status">
      ${"problem"in r?i`<${S} name="warning" size=${14} /> ${r.problem}`:i`<${S} name="check" size=${14} /> Valid JSON`}
    </p>
    ${s&&i`<p class="note"><${S} name="warning" size=${14} /> A secret is masked here. If you send it, the mask is granted as text.</p>`}
    ${"value"in r&&i`<${qe} before=${e.arguments??{}} after=${r.value} titles=${["asked","granted"]} />`}
    <p class="note soft">
      An edit makes a new digest: the agent may call <code><${m} text=${e.tool||"the tool"} /></code> once, with exactly these
      arguments. The original call is not granted.
    </p>
  </div>`}function Mh({approval:e,value:t,onInput:n,onPick:o}){return i`
    ${e.options?.length?i`<${ie} label="Suggested answers" value=${t} choices=${e.options.map(r=>[r,i`<${m} text=${r} />`])} onChange=${o} />`:null}
    <label class="field">
      <span>Answer <span class="faint">shown to the agent; it grants no call</span></span>
      <textarea rows="3" value=${t} onInput=${n} required></textarea>
    </label>`}var id,it,an,Sh,Eh,Hr=E(()=>{Ht();k();oe();Le();He();Zs();Mn();je();We();en();Ln();id={approve:"check",edit:"edit",reject:"close",respond:"reply"};it=e=>!!(e.tool||e.arguments);an=e=>ro("approval",e.id,e.asked);Sh={approve:"Grant exactly what is shown above",edit:"Grant other arguments instead",reject:"Reject the call",respond:"Answer the agent without granting a call"},Eh={approve:"Accept exactly this",edit:"Grant the edited call",reject:"Reject it",respond:"Send the answer"}});function dd({approval:e,mayDecide:t,verdict:n,onVerdict:o,onSend:r,onDone:s,rejection:a}){let l=Pt(e,we()),c=l==="pending";return i`<article class="question" aria-labelledby="question-title">
    <header class="question-head">
      <div class="question-line">
        <${W} state=${l} />
        ${e.status==="pending"&&i`<${zo} expires=${e.expires} />`}
        <span class="question-handle"><${Ue} id=${e.id} /></span>
      </div>
      <h2 id="question-title"><${m} text=${e.question||"Question without text"} /></h2>
      <p class="soft">
        Asked ${e.actor&&i`by <strong><${m} text=${e.actor} /></strong> `}<${I} at=${e.asked} />
        ${e.execution_id&&i` in <a href=${x(`/x/${e.execution_id}`)}><${m} text=${e.title||e.execution_id} /></a>`}
        ${e.step&&i`, for the step <a href=${x(`/x/${e.execution_id}`,{step:e.step})}><${m} text=${e.step_title||e.step} /></a>`}
      </p>
    </header>
    <div class="question-body">
      <div class="question-main">
        ${it(e)?i`<${od} approval=${e} />`:!e.unbound&&i`<p class="note">It asks in words only: an answer grants no call.</p>`}
        ${e.unbound&&i`<p class="warning-note"><${S} name="warning" /> This approval is not bound to an exact call. It grants <${m} text=${e.unbound} />.</p>`}
        ${e.options?.length&&!(c&&t)?i`<p class="soft">Suggested answers: ${e.options.map((d,u)=>i`${u?", ":""}<strong><${m} text=${d} /></strong>`)}</p>`:null}
        ${c?null:i`<${Ih} approval=${e} status=${l} />`}
        <${Oh} approval=${e} />
      </div>
      <${Dc} approval=${e} />
    </div>
    <div class=${ee("dock",(c||n)&&"dock-pending")}>
      ${a&&i`<p class="warning-note" role="alert"><${S} name="warning" /> ${a}</p>`}
      ${(c||n)&&i`<${Ah} over=${!c} approval=${e} mayDecide=${t} verdict=${n} onVerdict=${o} onSend=${r} onDone=${s} />`}
    </div>
  </article>`}function Ah({approval:e,over:t,mayDecide:n,verdict:o,onVerdict:r,onSend:s,onDone:a}){let l=C(""),c=C(null),d=C(!1);return _(()=>{n&&d.current&&!o&&c.current?.querySelector(".verdicts")?.focus(),d.current=n===!1},[n]),o&&(l.current=o),Se()?i`<p class="note"><${S} name="import" /> This is an imported export: nothing can be decided in it.</p>`:n===null||t&&!n?null:n?i`<div class=${ee("answering",o&&"is-open")} ref=${c}>
    ${it(e)&&i`<p class="dock-call" title="The call in short; above, all of it"><${m} text=${ed(e.tool||"",e.arguments)} /></p>`}
    ${o?i`<${cd} key=${e.id+o} approval=${e} verdict=${o} decide=${Ch} over=${t} onSend=${s} onDone=${a} onCancel=${()=>r("")} />`:i`<div class="answering-bar">
          <${ad} approval=${e} onChoose=${r} last=${l.current} />
          <p class="soft answering-note">${e.expires?"After the time limit it expires: a timeout is never a yes.":"There is no time limit. Silence is never a yes."}</p>
        </div>`}
  </div>`:i`${o&&i`<p class="note" role="status"><${S} name="save" /> What you typed is kept in this browser.</p>`}<${Ge} />`}function Ih({approval:e,status:t}){return t==="expired"?i`<p class="note">
      <${S} name="late" /> It expired <${I} at=${e.expires??""} /> without an answer. A timeout is never a
      yes: nothing was granted, and the agent has to ask again.
    </p>`:t==="closed"?i`<p class="note"><${S} name="late" /> Its execution ended without an answer. Nothing was granted.</p>`:i`<${R} level=${3} title="Answer">
    <${Ne} rows=${[["by",e.decided_by&&i`<${m} text=${e.decided_by} />`],["in",e.answered_in&&i`<${m} text=${e.answered_in} />`],["when",i`<${I} at=${e.decided??""} form="absolute" />`],["reason",e.reason&&i`<${m} text=${e.reason} />`],["answer",e.answer&&i`<${m} text=${e.answer} />`],["used by",e.used_by&&i`<a href=${x(`/x/${e.execution_id}`,{action:e.used_by})}><code>${e.used_by}</code></a>`],["used",!e.used_by&&(t==="approve"||t==="edit")?"not yet: valid for one call":""]]} />
    ${e.edited!==void 0&&e.edited!==null?i`<h4>Granted instead</h4>
          <${qe} before=${e.arguments??{}} after=${e.edited} titles=${["asked","granted"]} />`:null}
  <//>`}function Oh({approval:e}){let[t,n]=h(!1);return _(()=>n(!1),[e.id]),i`<details class="evidence" open=${t} onToggle=${o=>n(o.target.open)}>
    <summary>Entries in the journal</summary>
    ${t&&i`<${Nh} approval=${e} />`}
  </details>`}function Nh({approval:e}){let{data:t}=D({by:[e.id,e.status],kinds:["approval_"]},n=>T("/v1/entries",{id:e.id,execution_id:e.execution_id,newest_first:!0,limit:10},{signal:n}));return t?i`<ul class="evidence-rows">
    ${t.entries.toReversed().map(n=>i`<li key=${n.seq}>
      <a href=${x(`/x/${e.execution_id}`,{tab:"journal",entry:n.seq})}>entry ${n.seq}</a>
      <span>${n.kind==="approval_requested"?"asked":"answered"} by <${m} text=${n.facts?.credential||n.actor} /></span>
      <${I} at=${n.at} form="absolute" />
      ${n.facts?.effect_key&&i`<span class="digest">digest <code>${n.facts.effect_key.slice(0,16)}…</code><${ge} text=${n.facts.effect_key} what="the digest" /></span>`}
    </li>`)}
  </ul>`:i`<p class="loading">Loading…</p>`}var Ch,ud=E(()=>{K();k();oe();te();U();j();mt();Pc();rd();Fr();nn();Ln();Ho();Hr();Ch=To({get:T,post:Te})});function pd({label:e,approvals:t,chosen:n,now:o,marked:r,onMark:s}){let a=C(null);return _(()=>a.current?.querySelector(".is-chosen")?.scrollIntoView({block:"nearest"}),[n]),i`<ul class="questions" ref=${a} aria-label=${e}>
    ${t.map(l=>{let c=Pt(l,o),d=l.id===n;return i`<li key=${l.id} class=${ee("question-row",d&&"is-chosen")}>
        ${r&&i`<label class="question-mark">
          <input type="checkbox" checked=${r.has(l.id)} disabled=${c!=="pending"} onChange=${()=>s?.(l.id)} />
          <span class="visually-hidden">Select “${_e(l.question||l.id)}”</span>
        </label>`}
        <a href=${x(`/approvals/${l.id}`,Rh())} aria-current=${d?"true":null}>
          <span class="question-text"><${m} text=${l.question||l.id} /></span>
          <span class="question-about">
            ${l.tool?i`<code><${m} text=${l.tool} /></code>`:i`<span class="faint">a question</span>`}
            <span class="soft cut">${l.actor?i`<${m} text=${l.actor} />, `:null}<${I} at=${l.asked} /></span>
            <span class="question-state">
              ${c==="pending"?i`<${zo} expires=${l.expires} />`:i`<${W} state=${c} quiet />`}
            </span>
          </span>
          ${l.decided&&i`<${Lh} approval=${l} />`}
        </a>
      </li>`})}
  </ul>`}function Lh({approval:e}){let t=e.answer||e.reason;return i`<span class="question-answered soft">
    <span class="question-verdict">${Nt(e.status)}</span> by <strong><${m} text=${e.decided_by||e.answered_in||"nobody known"} /></strong>, <${I} at=${e.decided} />${t&&i`: “<${m} text=${t} />”`}
  </span>`}function Rh(){let e=new URLSearchParams(location.search);return{tab:e.get("tab"),status:e.get("status"),execution:e.get("execution")}}var fd=E(()=>{k();U();Vs();je();mt();We();en();Ho()});var hd={};Ce(hd,{Page:()=>jh});function jh({id:e="",query:t}){let n=t.get("tab")==="history",o=t.get("status")||"",r=t.get("execution")||"",s={tab:n&&"history",status:o,execution:r},[a,l]=h(Ur),c=D({by:[n,o,r,a],kinds:$d},X=>Bh({past:n,status:o,execution:r,limit:a},X)),d=D({by:[e],kinds:$d},X=>e?T(`/v1/approvals/${encodeURIComponent(e)}`,{},{signal:X}):Promise.resolve(null)),u=Ie(),p=we(),[f,$]=h(()=>new Set),[g,b]=h(""),[M,v]=h(null),[y,A]=h({id:"",text:""}),O=c.data?.name===md({past:n,status:o,execution:r}),P=O&&c.data?c.data.approvals:[],Z=Hh(),L=d.data?.id===e?d.data:null,z=P[0]?.id??"",H=P.filter(X=>f.has(X.id)&&Pt(X,p)==="pending");ke(()=>b(L?.status==="pending"?ld(L):""),[e,L?.id]);let V=C(""),Y=L?Pt(L,p):"";_(()=>{!L||!g||Y==="pending"||V.current===L.id||A({id:L.id,text:Eo({},{...L,status:Y})})},[Y]);let re=C(!1),B=C({id:"",at:0});_(()=>{!e&&z&&(Z||r&&P.length===1)&&(re.current&&(B.current={id:z,at:performance.now()}),ce(x(`/approvals/${z}`,s),{replace:!0})),re.current=O&&!z},[Z,e,z,r,O]);let ye=X=>{let xt=P.findIndex(fn=>fn.id===e),_t=P[Math.max(0,Math.min(P.length-1,xt+X))];_t&&ce(x(`/approvals/${_t.id}`,s),{replace:!!e})},Ye=X=>$(xt=>{let _t=new Set(xt);return _t.delete(X)||_t.add(X),_t}),ve=X=>{X.ok&&(b(""),L&&Is(an(L))),X.refused&&ut(),V.current=X.ok?X.id:"",A({id:X.id,text:X.problem}),X.ok&&$e(`${X.id}: ${Nt(X.status)}.`,"ok"),c.reload(),d.reload()},yt=L&&Y==="pending"&&u.may_decide&&!Se(),nt=X=>({label:`${qh[X]} it`,run:()=>{B.current.id===e&&performance.now()-B.current.at<Dh?$e("This question has just arrived: read it first."):b(X)}});return fe("Approvals",{j:{label:"Next question",run:()=>ye(1)},k:{label:"Previous question",run:()=>ye(-1)},a:yt&&zr(L,"approve")&&nt("approve"),e:yt&&it(L)&&nt("edit"),r:yt&&nt("reject"),m:yt&&nt("respond"),x:!n&&!Se()&&L&&{label:"Select it for one answer to several",run:()=>Ye(L.id)},Escape:{label:"Cancel the answer, or go back to the list",run:()=>g?b(""):e&&ce(x("/approvals",{...s,status:""}))}}),i`<div class=${`approvals ${e?"has-chosen":""}`}>
    <section class="approvals-list" aria-label="Questions">
      <header class="page-head">
        <h1>Approvals</h1>
        <${Sc} />
      </header>
      <${Cn} label="Which questions" value=${n?"history":"pending"} href=${X=>x("/approvals",{tab:X==="history"&&X})}
        tabs=${[{id:"pending",title:"Pending",count:n?0:P.length,tone:"waiting"},{id:"history",title:"History"}]} />
      ${r&&i`<p class="soft approvals-of">Of <a href=${x(`/x/${r}`)}><${m} text=${P[0]?.title||r} /></a>. <a href=${x("/approvals",{tab:n&&"history"})}>All questions</a></p>`}
      ${n&&i`<${Fh} status=${o} />`}
      ${!n&&u.version&&!u.may_decide&&f.size?i`<${Ge} />`:null}
      ${H.length>0&&u.may_decide&&i`<${Nc} approvals=${H} onVerdict=${X=>v({verdict:X,approvals:H})} onClear=${()=>$(new Set)} />`}
      <${N} problem=${c.problem} retry=${c.reload} />
      ${O&&c.data?P.length?i`<${pd} label=${n?"Answered questions":"Pending questions, the soonest to expire first"}
              approvals=${P} chosen=${e} now=${p} marked=${n||Se()?void 0:f} onMark=${Ye} />
              ${c.data.more&&i`<${w} onClick=${()=>l(a+Ur)}>Show older<//>`}`:i`<${zh} past=${n} />`:!c.problem&&i`<${F} />`}
    </section>
    <section class="approvals-one" aria-label="Question">
      ${e&&i`<a class="back" href=${x("/approvals",s)}>All questions</a>`}
      ${e&&i`<${N} problem=${d.problem} retry=${d.reload} />`}
      ${L?i`<${dd} key=${L.id} approval=${L} mayDecide=${u.version?u.may_decide:null} verdict=${g} onVerdict=${b}
            onSend=${()=>V.current=L.id} onDone=${ve} rejection=${y.id===L.id?y.text:""} />`:null}
    </section>
    ${M&&i`<${Lc} ...${M} onClose=${()=>(v(null),$(new Set),c.reload(),d.reload())} />`}
  </div>`}async function Bh({past:e,status:t,execution:n,limit:o},r){let s=[],a="";do{let l=await T("/v1/approvals",{status:e?t:"pending",execution_id:n,limit:Ur,cursor:a},{signal:r});s.push(...l.approvals.filter(c=>!e||c.status!=="pending")),a=l.next_cursor||""}while(a&&s.length<o);return{name:md({past:e,status:t,execution:n}),approvals:e?s:$c(s),more:!!a}}function Fh({status:e}){return i`<nav class="chips" aria-label="Answered how">
    ${Ph.map(([t,n])=>i`<a class="chip" href=${x("/approvals",{tab:"history",status:t})} aria-current=${t===e?"true":null}>${n}</a>`)}
  </nav>`}function zh({past:e}){return e?i`<${q} icon="approvals" title="No answered questions yet." />`:i`<${q} icon="approvals" title="No questions are waiting.">
    <p>When an agent asks (<code>request_approval</code>, <code>ask_human</code>, or a gateway’s policy), the question appears here at
    once, with the exact call and its time limit. Nothing is granted before you answer.</p>
  <//>`}function Hh(){let e="(min-width: 900px)",[t,n]=h(()=>matchMedia(e).matches);return _(()=>{let o=matchMedia(e),r=()=>n(o.matches);return o.addEventListener("change",r),()=>o.removeEventListener("change",r)},[]),t}var Ur,Dh,$d,Ph,qh,md,gd=E(()=>{en();Rc();qo();nn();Ho();Or();ud();fd();Hr();K();Ht();k();Ae();te();U();Fe();j();mt();Ur=100,Dh=2e3,$d=["approval_","action_begun","body_erased"],Ph=[["","All"],["approve","Accepted"],["edit","With changes"],["reject","Rejected"],["respond","Answered"],["used","Used"],["expired","Expired"],["closed","Closed"]];qh={approve:"Accept",edit:"Edit",reject:"Reject",respond:"Respond to"};md=({past:e,status:t,execution:n})=>[e,t,n].join("/")});function bd(e,t){let n=C({by:t,rows:[],cursor:""}),[,o]=h(0),r=C(!1),a=D({by:[t]},async u=>{let p=n.current.by===t?Math.min(Math.max(n.current.rows.length,Vo),Uh):Vo,f=[],$="";do{let g=await T("/v1/executions",{...e,limit:Vo,cursor:$},{signal:u});f=f.concat(g.executions),$=g.next_cursor||""}while($&&f.length<p);return n.current=n.current.by===t?Wh(n.current,f,$):{by:t,rows:f,cursor:$},n.current.by=t,n.current}),l=xe(async()=>{let{rows:u,cursor:p}=n.current;if(!(!p||r.current)){r.current=!0;try{let f=await T("/v1/executions",{...e,limit:Vo,cursor:p});if(n.current.rows!==u)return;n.current={by:t,rows:u.concat(f.executions),cursor:f.next_cursor||""},o($=>$+1)}finally{r.current=!1}}},[t]),{rows:c,cursor:d}=n.current.by===t?n.current:{rows:[],cursor:""};return{...a,rows:c,all:!d,more:l}}function Wh(e,t,n){let o=t.length?e.rows.findIndex(r=>r.id===t[t.length-1].id):-1;return!n||o<0||o===e.rows.length-1?{by:e.by,rows:t,cursor:n}:{by:e.by,rows:t.concat(e.rows.slice(o+1)),cursor:e.cursor}}var Vo,Uh,yd=E(()=>{K();k();te();Vo=100,Uh=300});function Kh(){try{let e=JSON.parse(localStorage.getItem(xd)||"[]");return Array.isArray(e)?e:[]}catch{return[]}}function _d(){let[e,t]=h(Kh),[n,o]=h(""),r=Bi().query.toString(),s=c=>{localStorage.setItem(xd,JSON.stringify(c)),t(c)},a=c=>{c.preventDefault(),n.trim()&&(s([...e.filter(d=>d.name!==n.trim()),{name:n.trim(),query:r}]),o(""))},l=e.find(c=>c.query===r);return i`<${st} label="Saved views" icon="save" word=${l?l.name:"Views"} end>
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
  </${st}>`}var xd,wd=E(()=>{k();U();j();xd="tallystick.views"});var kd={};Ce(kd,{Page:()=>Jh});function Jh({query:e}){let t=e.get("q")||"",n=e.get("group")||"",o=le(()=>ac(t),[t]),r=bd(lc(o),`${t} ${e.get("journal")||""}`),[s,a]=h(0);return!o.length&&r.data&&!r.rows.length?i`<${Do} />`:i`<div class="page page-list">
    <div class="page-head">
      <h1>Executions</h1>
      <div class="page-head-end">
        <${ie} label="Group by" value=${n} choices=${[["","Flat"],["task","By task"],["agent","By agent"]]} onChange=${c=>J({group:c})} />
        <${_d} />
      </div>
    </div>
    <${Yh} text=${t} terms=${o} onEnter=${()=>a(s+1)} />
    <${N} problem=${r.problem} retry=${r.reload} />
    ${r.data?i`<${Xh} live=${r} group=${n} filtered=${o.length>0} entered=${s} />`:!r.problem&&i`<${F} what="Loading executions" />`}
  </div>`}function Yh({text:e,terms:t,onEnter:n}){let o=r=>J({q:r.trim()},{replace:!0});return i`<div class="exec-filters">
    <${Ke} label="Filter executions" value=${e} onChange=${o} onEnter=${n} placeholder="status:failed agent:codex since:2d words">
      <kbd class="kbd">f</kbd>
    </${Ke}>
    <div class="exec-chips" role="group" aria-label="Quick filters">
      ${vd.map(([r,s,a])=>{let l=t.some(c=>c.field===r&&c.value===s);return i`<${w} class="exec-chip" pressed=${l} onClick=${()=>o(Wn(cc(t,{field:r,value:s})))}>${a}</${w}>`})}
      ${t.filter(r=>!vd.some(([s,a])=>s===r.field&&a===r.value)).map(r=>i`<${w} class="exec-chip exec-chip-term" icon="close" aria-label=${`Remove ${Wn([r])}`} onClick=${()=>o(Wn(t.filter(s=>s!==r)))}>${Wn([r])}</${w}>`)}
      ${t.length>0&&i`<${w} kind="ghost" class="exec-chip" onClick=${()=>o("")}>Clear</${w}>`}
    </div>
    <details class="hints">
      <summary><${S} name="filter" />Filters</summary>
      <dl>${ic.map(([r,s])=>i`<div><dt><code>${r}</code></dt><dd>${s}</dd></div>`)}</dl>
      <p class="soft">Words find executions with entries that contain them; <code>word*</code> finds prefixes.</p>
    </details>
  </div>`}function Xh({live:e,group:t,filtered:n,entered:o}){let[r,s]=h(-1),a=be("density"),l=Zh(),c=le(()=>Qh(e.rows,t,e.all),[e.rows,t,e.all]),d=Vh[l?"phone":a==="comfortable"?"comfortable":"compact"],u=p=>{let f=r+p;for(;c[f]?.group!==void 0;)f+=p;c[f]&&s(f)};return fe("Executions",{j:{label:"next execution",run:()=>u(1)},k:{label:"previous execution",run:()=>u(-1)},Enter:{label:"open it",run:()=>c[r]?.id&&ce(`/x/${c[r].id}`)}}),_(()=>{if(!o||e.loading||document.activeElement?.hasAttribute("data-search"))return;let p=c.findIndex(f=>f.group===void 0);s(-1),setTimeout(()=>s(p))},[o,e.loading]),_(()=>{if(r<0)return;document.querySelector(`[data-index="${r}"] .exec-link`)?.focus({preventScroll:!0})},[r]),c.length?i`<div class="exec-list panel">
    <p class="visually-hidden" role="status">${e.rows.length}${e.all?"":" or more"} ${e.rows.length===1&&e.all?"execution":"executions"}${n?" match":""}</p>
    <${Ot}
      label="Executions"
      rows=${c}
      height=${d}
      selected=${r}
      head=${Gh}
      onNear=${e.more}
      row=${(p,f)=>p.group!==void 0?i`<${dc} key=${`group ${p.group}`} ...${p} />`:i`<${sn} key=${p.id} row=${p} index=${f} selected=${f===r} onFocus=${()=>s(f)} />`}
    />
  </div>`:i`<${q} icon="search" title="No matching executions."><a href=${x("/executions",{})}>Show all</a></${q}>`}function Qh(e,t,n){if(t!=="task"&&t!=="agent")return e;let o=new Map;for(let r of e){let s=(t==="task"?r.task_id:r.actor)||"";o.set(s,[...o.get(s)||[],r])}return[...o].flatMap(([r,s])=>[{group:r,count:s.length,by:t,more:!n},...s])}function Zh(){let[e,t]=h(Go.matches);return _(()=>{let n=()=>t(Go.matches);return Go.addEventListener("change",n),()=>Go.removeEventListener("change",n)},[]),e}var vd,Vh,Gh,Go,Sd=E(()=>{Tr();Po();yd();Sr();wd();k();oe();Ae();U();et();j();vd=[["status","open","Open"],["only","waiting","Waiting for a person"],["only","in_doubt","In doubt"],["only","interrupted","Interrupted"],["only","owed","Owed"],["status","failed","Failed"]],Vh={compact:48,comfortable:60,phone:104},Gh=i`<div class="exec exec-head" aria-hidden="true">
  <span>state</span><span>execution</span><span>plan</span><span></span><span class="exec-last">last entry</span>
</div>`,Go=matchMedia("(max-width: 720px)")});var Md={};Ce(Md,{Page:()=>tg});function tg(){let{data:e,problem:t,reload:n}=D({by:[Q()]},a=>T("/v1/alerts",{limit:100},{signal:a})),[o,r]=h(null),s=e?.alerts??[];return _(()=>{let a=setInterval(n,eg);return()=>clearInterval(a)},[]),i`<div class="page">
    <div class="page-head"><h1>Alerts</h1><p class="soft">What somebody should look at now. <code>tallystick serve --alert URL</code> sends these to chat or mail.</p></div>
    <${N} problem=${t} retry=${n} />
    ${e?s.length?i`<${R} flush><${ng} alerts=${s} onSilence=${r} /><//>
            ${e.more?.length?i`<p class="soft">There are more of: ${e.more.map(a=>Td[a]).join(", ")}.</p>`:null}`:i`<${R}><${q} icon="check" title="Nothing needs you." /><//>`:!t&&i`<${F} />`}
    ${o&&i`<${og} alert=${o} onClose=${()=>r(null)} onDone=${()=>(r(null),n())} />`}
  </div>`}function Ed(e){return e.rule==="question_waits"?x(`/approvals/${e.about}`):e.execution_id?x(`/x/${e.execution_id}`):""}function ng({alerts:e,onSilence:t}){return i`<ul class="alerts" aria-label="Alerts">
    ${e.map(n=>i`<li key=${`${n.rule}/${n.about}`}>
      <div>
        <p><strong>${Td[n.rule]}</strong> · <span class="soft">since <${I} at=${n.since} />${n.who?i`, <${m} text=${n.who} />`:null}</span></p>
        <p>${Ed(n)?i`<a href=${Ed(n)}><${m} text=${n.text} /></a>`:i`<${m} text=${n.text} />`}</p>
        <p class="soft"><${m} text=${[n.title,n.to_do].filter(Boolean).join(" · ")} /></p>
      </div>
      ${n.silenced?i`<span class="soft">silenced until <${I} at=${n.silenced} /></span>`:i`<${w} onClick=${()=>t(n)}>Silence<//>`}
    </li>`)}
  </ul>`}function og({alert:e,onClose:t,onDone:n}){let o=Ie(),[r,s]=h(""),[a,l]=h(null),c=async d=>{d.preventDefault(),await Te("/v1/alerts/silences",{rule:e.rule,about:e.about,until:Jo,why:r}).then(()=>($e(`Silenced for ${Jo}.`,"ok"),n()),l)};return i`<${Qe} title="Silence this alert" onClose=${t}>
    <p><${m} text=${e.text} /></p>
    ${o?.may_decide?i`<form onSubmit=${c}>
          <label class="field"><span>Why no messages for ${Jo}</span>
            <input value=${r} required onInput=${d=>s(d.target.value)} /></label>
          <${N} problem=${a} />
          <${w} kind="primary" type="submit" disabled=${!r.trim()}>Silence for ${Jo}<//>
        </form>`:i`<${Ge} />`}
  <//>`}var Td,Jo,eg,Cd=E(()=>{K();nn();k();te();U();Fe();j();Td={question_waits:"A question waits",in_doubt:"In doubt",interrupted:"Interrupted",run_held:"A run is held",run_failed:"A run failed",undo_expires:"An undo expires",hook_silent:"Hooks are silent",tool_failing:"A tool fails more than usual",step_slow:"A step takes long",verify_failed:"Verification failed"},Jo="8h",eg=3e4});function Ad({onDone:e}){let[t,n]=h({}),[o,r]=h(!1),[s,a]=h(null),[l,c]=h(null);if(l)return i`<${Wr} made=${l} onDone=${e} />`;let d=(p,f,$,g={})=>i`
    <label class="field" key=${p}><span>${f} ${$&&i`<span class="faint">${$}</span>`}</span>
      <input value=${t[p]||""} aria-invalid=${s?.field===p?"true":null} spellcheck="false" autocomplete="off" ...${g}
        onInput=${b=>n({...t,[p]:b.target.value})} /></label>`;return i`<form class="webhook-form" onSubmit=${async p=>{p.preventDefault();let f=Object.entries(t).map(([b,M])=>[b,M.trim()]).filter(([,b])=>b),{kinds:$,...g}=Object.fromEntries(f);$&&(g.kinds=$.split(/[,\s]+/).filter(Boolean)),o&&(g.needs_person=!0),await Te("/v1/webhooks",g).then(c,a)}}>
    ${d("name","Name","small letters, digits, dots and dashes",{required:!0})}
    ${d("address","Address","https://…",{required:!0,type:"url"})}
    <label class="check"><input type="checkbox" checked=${o} onChange=${p=>r(p.target.checked)} /> Only what a person has to act on</label>
    <details><summary>Only some entries</summary>${sg.map(([p,f,$])=>d(p,f,$))}</details>
    <${N} problem=${s} />
    <${w} kind="primary" type="submit">Add it<//>
  </form>`}function Wr({made:e,onDone:t}){return i`<div class="webhook-form">
    <p>Messages are signed with this secret. It is shown this once: give it to the receiver now.</p>
    <p class="command"><code>${e.secret}</code><${ge} text=${e.secret||""} what="the secret" /></p>
    ${(e.notes||[]).map(n=>i`<p class="warning-note"><${m} text=${n} /></p>`)}
    <${w} kind="primary" onClick=${t}>Done<//>
  </div>`}var sg,Kr=E(()=>{K();k();j();sg=[["kinds","Kinds of entry","such as approval_requested, with commas"],["execution_id","Execution","ex_…"],["task_id","Task",""],["tool","Tool",""],["actor","Actor","an agent or a person"]]});function ln({path:e,body:t,button:n,kind:o="primary",done:r,children:s}){let[a,l]=h(null),[c,d]=h(!1);return i`<form class="webhook-form" onSubmit=${async p=>{p.preventDefault(),d(!0),await Te(e,t||{}).then(r,l),d(!1)}}>
    ${s}
    <${N} problem=${a} />
    <${w} kind=${o} type="submit" disabled=${c}>${n}<//>
  </form>`}function rg({webhook:e,onDone:t}){let n=()=>($e("The test is recorded, and is being delivered.","ok"),t());return i`<${ln} path=${qt(e,"test")} button="Send a test" done=${n}>
    <p>An entry is recorded that is delivered to this webhook alone, as <code>webhook.test</code>.</p>
  <//>`}function ig({webhook:e,onDone:t}){return i`<${ln} path=${qt(e,"replay")} button="Try now" done=${()=>($e("It tries at once.","ok"),t())}>
    <p>What waits is tried at once. A webhook that was paused or disabled goes on.</p>
  <//>`}function ag({webhook:e,onDone:t}){let[n,o]=h("");return i`<${ln} path=${qt(e,"replay")} body=${{since:Number(n)}} button="Deliver again" done=${()=>($e("They are delivered again.","ok"),t())}>
    <p>What fits this webhook is delivered again, with the same ids: a receiver that keeps them handles nothing twice.</p>
    <label class="field"><span>From this entry on</span>
      <input type="number" min="1" required value=${n} onInput=${r=>o(r.target.value)} /></label>
  <//>`}function lg({webhook:e,onDone:t}){let{data:n,problem:o}=D({kinds:["webhook_"],by:[Q(),e.name]},r=>T(qt(e,"dead"),{limit:100},{signal:r}));return i`<${N} problem=${o} />
    ${n?i`<ul class="dead-deliveries">${n.deliveries.map(r=>i`<li key=${r.seq}>
          <p>Entry ${r.seq}${r.execution_id&&i` of <a href=${x(`/x/${r.execution_id}`)}><code>${r.execution_id}</code></a>`}, after ${r.attempts} attempts, <${I} at=${r.at} /></p>
          <p class="soft"><${m} text=${r.error} /></p></li>`)}</ul>`:!o&&i`<${F} />`}
    ${n?.next_cursor&&i`<p class="soft">The first 100 of ${e.dead}.</p>`}
    <${ln} path=${qt(e,"replay")} body=${{dead:!0}} button="Deliver them again" done=${()=>($e("They are delivered again.","ok"),t())} />`}function cg({webhook:e,onDone:t}){let[n,o]=h(null);return n?i`<${Wr} made=${n} onDone=${t} />`:i`<${ln} path=${qt(e,"rotation")} button="Make a new secret" done=${o}>
    <p>For a day each message has both signatures, so that the receiver can change over.</p>
  <//>`}function dg({webhook:e,onDone:t}){return i`<${ln} path=${qt(e,"removal")} button="Remove it" kind="danger" done=${()=>($e("It is removed.","ok"),t())}>
    <p>Its address is told nothing more. Its secret, what waits and what was given up are forgotten. To set it up again, add it anew.</p>
  <//>`}var Yo,qt,Vr=E(()=>{K();k();te();U();j();Kr();Yo={test:{label:"Test",title:"Test",suits:e=>e.state!=="disabled",form:rg},retry:{label:"Try now",title:"Try at once:",suits:e=>e.state!=="active"||!!e.waiting,form:ig},dead:{label:"Given up",title:"Given up:",suits:e=>!!e.dead,form:lg},replay:{label:"Replay",title:"Replay",suits:()=>!0,form:ag},rotate:{label:"New secret",title:"New secret for",suits:()=>!0,form:cg},remove:{label:"Remove",title:"Remove",suits:()=>!0,form:dg}};qt=(e,t)=>`/v1/webhooks/${encodeURIComponent(e.name)}/${t}`});function Id({webhooks:e,onChoose:t}){return i`<ul class="webhooks" aria-label="Webhooks">
    ${e.map(n=>i`<li key=${n.name}>
      <div>
        <p><strong><${m} text=${n.name} /></strong> <${W} state=${n.state} /> · <code><${m} text=${n.host} /></code></p>
        <p class="soft">Hears of <${ug} webhook=${n} />.</p>
        <p class="soft"><${pg} webhook=${n} /></p>
        ${n.last_error&&i`<p class="webhook-error">Last error: <${m} text=${n.last_error} />${n.last_error_at&&i`, <${I} at=${n.last_error_at} />`}</p>`}
      </div>
      <div class="webhook-actions">
        ${Object.entries(Yo).map(([o,{label:r,suits:s}])=>s(n)&&i`<${w} onClick=${()=>t(o,n)} aria-label=${`${r} ${n.name}`}>${r}<//>`)}
      </div>
    </li>`)}
  </ul>`}function ug({webhook:e}){let{kinds:t=[],execution_id:n,task_id:o,tool:r,actor:s}=e,a=[e.needs_person&&"what a person has to act on",t.length>0&&i`entries of ${t.length>1?"the kinds":"the kind"} <code>${t.join(", ")}</code>`,n&&i`execution <a href=${x(`/x/${n}`)}><code>${n}</code></a>`,o&&i`task <${m} text=${o} />`,r&&i`calls of <code><${m} text=${r} /></code>`,s&&i`what <${m} text=${s} /> recorded`].filter(Boolean);return a.length?i`${a.map((l,c)=>i`${c>0&&" and "}${l}`)}`:i`every entry`}function pg({webhook:e}){let{delivered:t=0,behind:n=0,waiting:o=0,dead:r=0}=e,s=[`${t} delivered`,n>0&&`${n} ${n===1?"entry":"entries"} behind`,o>0&&`${o} waiting`,r>0&&`${r} given up`,!e.delivering&&"no process delivers now"].filter(Boolean);return i`${s.join(", ")}${e.last_success&&i`, the last one <${I} at=${e.last_success} />`}${e.next_attempt&&i`, next attempt at <${I} at=${e.next_attempt} form="absolute" />`}`}var Od=E(()=>{k();U();j();Vr()});var Nd={};Ce(Nd,{Page:()=>$g});function $g(){let{data:e,problem:t,reload:n}=D({kinds:["webhook_"],by:[Q()]},c=>T("/v1/webhooks",{limit:100},{signal:c})),o=t?.status===403,[r,s]=h(null);_(()=>{if(o)return;let c=setInterval(n,fg);return()=>clearInterval(c)},[o]);let a=()=>(s(null),n()),l=(c,d)=>s({action:c,webhook:d});return i`<div class="page">
    <div class="page-head"><h1>Webhooks</h1>
      <p class="soft">Addresses that are told of new entries. <code>tallystick serve</code> or <code>tallystick notify</code> delivers.</p></div>
    ${o?i`<${R}><p>Webhooks are shown to admins only.</p><${Ge} scope="admin" onDone=${n} /><//>`:i`<${N} problem=${t} retry=${n} />`}
    ${e&&i`<p><${w} kind="primary" onClick=${()=>s({action:"add"})}>Add a webhook<//></p>`}
    ${e?e.webhooks.length?i`<${R} flush><${Id} webhooks=${e.webhooks} onChoose=${l} /><//>`:i`<${R}><${q} icon="check" title="No webhooks.">Add one: its address hears of each new entry, or of those that you choose.<//><//>`:!t&&i`<${F} />`}
    ${r&&i`<${mg} ...${r} onClose=${a} />`}
  </div>`}function mg({action:e,webhook:t,onClose:n}){let o=Ie(),r=Yo[e],s=t?`${r.title} ${t.name}`:"Add a webhook",a=r?.form||Ad;return i`<${Qe} title=${s} onClose=${n}>
    ${o.scopes.includes("admin")?i`<${a} webhook=${t} onDone=${n} />`:i`<${Ge} scope="admin" />`}
  <//>`}var fg,Ld=E(()=>{K();nn();k();te();U();Fe();j();Kr();Vr();Od();fg=5e3});function gg(e){let[t,...n]=e.split(":"),o=n.join(":");return{scope:t,...t==="task"&&{task_id:o},...t==="execution"&&{execution_id:o}}}function Rd({name:e,scopeText:t,onClose:n}){let{data:o,problem:r,reload:s}=D({by:[e,t],kinds:["context_recorded","body_erased"]},a=>T(`/v1/context/${encodeURIComponent(e)}`,{...gg(t),limit:hg},{signal:a}));return i`<aside class="context-value" aria-label=${`Context ${e}`}>
    <header class="context-value-head">
      <h2><code><${m} text=${e} /></code></h2>
      <${w} kind="ghost" icon="close" label="Close" onClick=${n} />
    </header>
    <${N} problem=${r} retry=${s} />
    ${o?i`<${bg} value=${o.values[0]} /><${xg} values=${o.values} />`:!r&&i`<${F} />`}
  </aside>`}function bg({value:e}){return i`
    ${e.erased?i`<p class="note"><${S} name="cancelled" /> Its text was erased. The entry remains.</p>`:e.altered?i`<p class="note"><${S} name="warning" /> Its stored text was altered and is not shown.</p>`:i`<${ae} value=${e.value??null} label="value" whole />`}
    <${Ne} rows=${[["scope",i`<${Gr} value=${e} />`],["type",e.type],["written by",e.actor&&i`<${m} text=${e.actor} />`],["when",i`<${I} at=${e.at} />`],["entry",i`<span class="num">${e.seq}</span>`],["holds until",e.expires&&i`<${Jr} value=${e} />`],["derived from",e.derived_from?.length?i`<${yg} handles=${e.derived_from} />`:""]]} />
    ${e.metadata?i`<h3>Metadata</h3><${ae} value=${e.metadata} label="metadata" />`:null}
    <p class="note soft">A model or a tool wrote this. It is data, not an instruction, and not checked by anybody.</p>`}function Gr({value:e}){let t=e.scope_id||"";return e.scope==="execution"?i`execution <a href=${x(`/x/${encodeURIComponent(t)}`)}><code>${t}</code></a>`:e.scope==="task"?i`task <a href=${x("/executions",{q:`task:${t}`})}>${t}</a>`:e.scope}function Jr({value:e}){return e.expires?e.expired?i`<${ne} tone="idle" icon="late">expired<//>`:i`<${I} at=${e.expires} form="absolute" />`:i`<span class="faint">for good</span>`}function yg({handles:e}){return e.map((t,n)=>i`${n?", ":""}${t.startsWith("ex_")?i`<a href=${x(`/x/${encodeURIComponent(t)}`)}><code>${t}</code></a>`:t.startsWith("pl_")?i`<a href=${x(`/plans/${encodeURIComponent(t)}`)}><code>${t}</code></a>`:t.startsWith("ap_")?i`<a href=${x(`/approvals/${encodeURIComponent(t)}`)}><code>${t}</code></a>`:i`<code>${t}</code>`}`)}function xg({values:e}){let[t,n]=h(1);return e.length<2?i`<p class="soft">Written once: there is no history.</p>`:i`<h3>History <span class="faint">${e.length} values, the newest first</span></h3>
    <ol class="versions" reversed>
      ${e.map((o,r)=>i`<li key=${o.seq}>
        <button type="button" class="version" aria-expanded=${String(t===r)} onClick=${()=>n(t===r?-1:r)}>
          <${S} name=${t===r?"down":"right"} size=${14} />
          <span>${r===0?"now":i`<${I} at=${o.at} />`}</span>
          <span class="soft cut"><${m} text=${o.actor} /></span>
          <span class="faint num">entry ${o.seq}</span>
        </button>
        ${t===r&&i`<${_g} value=${o} before=${e[r+1]} />`}
      </li>`)}
    </ol>`}function _g({value:e,before:t}){return e.erased?i`<p class="note">Its text was erased.</p>`:e.altered?i`<p class="note">Its stored text was altered and is not shown.</p>`:!t||t.erased||t.altered?i`<${ae} value=${e.value??null} label="value" />`:i`<${qe} before=${t.value} after=${e.value} titles=${["before","after"]} />`}var hg,cn,Dd=E(()=>{K();k();oe();te();U();j();hg=100,cn=e=>e.scope_id?`${e.scope}:${e.scope_id}`:e.scope});var Pd={};Ce(Pd,{Page:()=>kg});function kg({query:e}){let[t,n,o,r]=["text","scope","type","expired"].map(b=>e.get(b)||""),[s,a]=[e.get("key")||"",e.get("at")||"project"],[l,c]=h(1),d=D({by:[t,n,o,r,l],kinds:["context_recorded","body_erased"]},b=>Sg({text:t,scope:n,type:o,include_expired:!!r},l,b)),u=d.data?.values??[],p=u.findIndex(b=>b.key===s&&cn(b)===a),f=b=>b&&J({key:b.key,at:cn(b)},{replace:!!s}),$=()=>J({key:"",at:""});fe("Context",{j:{label:"next key",run:()=>f(u[Math.min(p+1,u.length-1)])},k:{label:"previous key",run:()=>f(u[Math.max(p-1,0)])},Escape:!!s&&{label:"close it",run:$}});let g=!!(t||n||o||r);return i`<div class=${`page context ${s?"has-detail":""}`}>
    <div class="page-head"><h1>Context</h1><p class="soft">Values that agents keep across sessions. The newest value of a key counts; the history stays.</p></div>
    <div class="filters">
      <${Ke} label="Search keys and values" placeholder="Search keys and values" value=${t} onChange=${b=>J({text:b},{replace:!0})} />
      <${ie} label="Scope" value=${n} choices=${vg} onChange=${b=>J({scope:b})} />
      ${o&&i`<${w} icon="close" onClick=${()=>J({type:""})}>type ${o}<//>`}
      <label class="check"><input type="checkbox" checked=${!!r} onChange=${b=>J({expired:b.target.checked?"1":""})} /> show expired</label>
    </div>
    <${N} problem=${d.problem} retry=${d.reload} />
    <div class="beside">
      ${d.data?u.length?i`<${R} flush><${Eg} values=${u} chosen=${p} onOpen=${f} />
              ${d.data.more&&i`<div class="more-row"><${w} onClick=${()=>c(l+1)}>Show more<//></div>`}<//>`:i`<${R}><${Mg} filtered=${g} /><//>`:!d.problem&&i`<${F} />`}
      ${s&&i`<${Rd} key=${s+a} name=${s} scopeText=${a} onClose=${$} />`}
    </div>
  </div>`}async function Sg(e,t,n){let o=[],r="";for(let s=0;s<t;s+=1){let a=await T("/v1/context",{...e,limit:wg,cursor:r},{signal:n});if(o.push(...a.values),r=a.next_cursor||"",!r)break}return{values:o,more:!!r}}function Eg({values:e,chosen:t,onOpen:n}){let o=r=>x(location.pathname+location.search,{key:r.key,at:cn(r)});return i`<${At} label="Context" rows=${e} id=${r=>`${cn(r)} ${r.key}`}
    selected=${e[t]?`${cn(e[t])} ${e[t].key}`:""} onSelect=${n}
    columns=${[{title:"key",class:"col-key",cell:r=>i`<a href=${o(r)}><code><${m} text=${r.key} /></code></a>`},{title:"value",class:"col-value",cell:r=>i`<span class="preview"><${m} text=${Tg(r)} /></span>`},{title:"type",class:"col-type",cell:r=>r.type?i`<a class="chip" href=${x("/context",{type:r.type})}>${r.type}</a>`:i`<span class="faint">–</span>`},{title:"scope",class:"col-wide",cell:r=>i`<${Gr} value=${r} />`},{title:"by",class:"col-wide",cell:r=>r.actor},{title:"written",cell:r=>i`<span class="soft"><${I} at=${r.at} /></span>`},{title:"until",class:"col-wide",cell:r=>i`<span class="soft"><${Jr} value=${r} /></span>`},{title:"values",class:"right col-wide",cell:r=>(r.versions??1)>1?i`<${ne} title="number of values over time">${r.versions}<//>`:i`<span class="faint">1</span>`}]} />`}function Tg(e){if(e.erased||e.altered)return e.erased?"erased":"altered";let t=typeof e.value=="string"?e.value:se(e.value??null);return t.length>160?`${t.slice(0,160)}…`:t}function Mg({filtered:e}){return e?i`<${q} icon="search" title="No matches."><p><a href=${x("/context")}>Show everything</a></p><//>`:i`<${q} icon="context" title="No context values yet.">
    <p>An agent stores a value for the next session with <code>record_context</code>, a person
    with <code>tallystick record context KEY --value TEXT</code>.</p><//>`}var wg,vg,jd=E(()=>{K();Dd();k();Le();Ae();te();U();j();wg=100,vg=[["","all"],["project","project"],["task","task"],["execution","execution"]]});var qd={};Ce(qd,{Page:()=>Ag});function Ag({query:e}){let[t,n,o]=["text","status","task_id"].map(f=>e.get(f)||""),[r,s]=h(Yr),[a,l]=h(-1),{data:c,problem:d,reload:u}=D({by:[t,n,o,r],kinds:["plan_"]},f=>Ig({text:t,status:n,task_id:o},r,f)),p=c?.plans??[];return fe("Plans",{j:{label:"next plan",run:()=>l(Math.min(a+1,p.length-1))},k:{label:"previous plan",run:()=>l(Math.max(a-1,0))},Enter:p[a]&&{label:"open it",run:()=>ce(x(`/plans/${p[a].id}`))}}),i`<div class="page">
    <div class="page-head"><h1>Plans</h1><p class="soft">Planned steps, and whether and how each can be undone.</p></div>
    <div class="filters">
      <${Ke} label="Search plans" placeholder="Search titles, goals and steps" value=${t} onChange=${f=>J({text:f},{replace:!0})} />
      <${ie} label="Status" value=${n} choices=${Cg} onChange=${f=>J({status:f})} />
      ${o&&i`<${w} icon="close" onClick=${()=>J({task_id:""})}>task ${o}<//>`}
    </div>
    <${N} problem=${d} retry=${u} />
    ${c?p.length?i`<${R} flush><${Og} plans=${p} chosen=${p[a]?.id??""} />
            ${c.more&&i`<div class="more-row"><${w} onClick=${()=>s(r+Yr)}>Show more<//></div>`}<//>`:i`<${R}><${Ng} filtered=${!!(t||n||o)} /><//>`:!d&&i`<${F} />`}
  </div>`}async function Ig(e,t,n){let o=[],r="";do{let s=await T("/v1/plans",{...e,limit:Yr,cursor:r},{signal:n});o.push(...s.plans),r=s.next_cursor||""}while(r&&o.length<t);return{plans:o,more:!!r}}function Og({plans:e,chosen:t}){return i`<${At} label="Plans" rows=${e} id=${n=>n.id} selected=${t}
    onSelect=${n=>ce(x(`/plans/${n.id}`))}
    columns=${[{title:"status",cell:n=>i`<${W} state=${n.status} quiet />`},{title:"plan",class:"col-title",cell:n=>i`<a href=${x(`/plans/${n.id}`)}><strong><${m} text=${n.erased?"erased":n.altered?"altered":n.title||n.id} /></strong></a>
          <span class="plan-goal soft"><${m} text=${n.goal} /></span>`},{title:"steps",class:"right num",cell:n=>n.step_count??0},{title:"revision",class:"right num col-wide",cell:n=>n.revision},{title:"task",class:"col-wide",cell:n=>n.task_id||i`<span class="faint">–</span>`},{title:"type",class:"col-wide",cell:n=>n.type||i`<span class="faint">–</span>`},{title:"by",class:"col-wide",cell:n=>n.actor},{title:"revised",cell:n=>i`<span class="soft"><${I} at=${n.at} /></span>`}]} />`}function Ng({filtered:e}){return e?i`<${q} icon="search" title="No matching plans."><p><a href=${x("/plans")}>Show all plans</a></p><//>`:i`<${q} icon="plans" title="No plan yet.">
    <p>An agent records one with <code>record_plan</code> before it acts. Each step says whether and how it can be undone.</p><//>`}var Yr,Cg,Bd=E(()=>{K();k();Ae();te();U();j();Yr=100,Cg=[["","all"],["active","active"],["archived","archived"],["cancelled","cancelled"]]});function Fd({id:e,revisions:t,shown:n,from:o,counts:r}){return i`<ol class="revisions" reversed aria-label="Revisions, the newest first">
    ${t.map(s=>{let a=s.revision,l=r.get(a)??0;return i`<li key=${a} class=${a===n?"is-chosen":null}>
        <a class="revision" href=${x(`/plans/${e}`,{revision:a})} aria-current=${a===n&&!o?"true":null}>
          <strong>Revision ${a}</strong>
          <span class="soft"><${I} at=${s.at} /></span>
        </a>
        <p class="soft revision-why">${s.erased?"Its text was erased.":s.altered?"Its stored text was altered and is not shown.":s.reason||(a===1?"First version.":"")}</p>
        <p class="revision-end">
          ${l?i`<span class="soft">${l} ${l===1?"execution":"executions"}</span>`:i`<span class="faint">not carried out</span>`}
          ${a>1&&i`<a href=${x(`/plans/${e}`,{from:a-1,to:a})} aria-current=${o===a-1&&n===a?"true":null}>
            what changed<span class="visually-hidden"> in revision ${a}</span></a>`}
        </p>
      </li>`})}
  </ol>`}function zd({before:e,after:t}){let n=Fc(e.steps??[],t.steps??[]),o=zc(e,t),r=n.filter(s=>s.change!=="same").length;return i`<div class="revision-diff">
    <p class="note">
      <strong>Revision ${e.revision} to ${t.revision}.</strong>
      ${t.reason&&i` <${m} text=${t.reason} />`}
      <span class="soft"> ${r} of ${n.length} steps differ${o.length?`, and ${o.map(s=>s.name).join(", ")}`:""}.</span>
    </p>
    ${o.length?i`<${qe} before=${Object.fromEntries(o.map(s=>[s.name,s.before]))}
      after=${Object.fromEntries(o.map(s=>[s.name,s.after]))} titles=${[`revision ${e.revision}`,`revision ${t.revision}`]} />`:null}
    <h2 class="visually-hidden">Steps</h2>
    <ol class="steps">
      ${n.map(s=>i`<li key=${s.id} class=${`step-${s.change}`}>
        <div class="step-body"><${Rg} row=${s} titles=${[`revision ${e.revision}`,`revision ${t.revision}`]} /></div>
      </li>`)}
    </ol>
  </div>`}function Rg({row:e,titles:t}){let[n,o,r]=Lg[e.change],s=e.after??e.before,a=i`<${ne} tone=${n} icon=${o}>${r}<//>`;return e.change==="added"?i`<p class="step-mark">${a}</p><${Rr} step=${s} />`:i`<div class="step-head">
      <h3><${m} text=${s?.title||e.id} /></h3><code class="soft"><${m} text=${e.id} /></code><span class="step-end">${a}</span>
    </div>
    ${e.change==="changed"&&i`<${qe} before=${e.before} after=${e.after} titles=${t} />`}
    ${e.change==="removed"&&i`<p class="soft"><${S} name="cancelled" size=${14} /> Executions that began it keep it, with its undo.</p>`}`}var Lg,Hd=E(()=>{k();oe();U();j();Ko();Wo();Lg={added:["ok","unplanned","added"],removed:["failed","cancelled","removed"],changed:["doubt","edit","changed"],moved:["running","down","moved"],same:["idle","check","unchanged"]}});var Ud={};Ce(Ud,{Page:()=>Dg});function Dg({id:e,query:t}){let n=D({by:[e],kinds:["plan_","body_erased"]},r=>T(`/v1/plans/${encodeURIComponent(e)}`,{},{signal:r})),o=D({by:[e],kinds:["execution_","decision_recorded","action_ended"]},r=>T("/v1/executions",{plan_id:e,limit:Xr},{signal:r}));return n.data?i`<${Pg} id=${e} query=${t} status=${n.data.status} revisions=${n.data.revisions} executions=${o.data?.executions??[]} />`:i`<div class="page"><h1>Plan</h1><${N} problem=${n.problem} retry=${n.reload} />${!n.problem&&i`<${F} />`}</div>`}function Pg({id:e,query:t,status:n,revisions:o,executions:r}){let s=o[0],a=Number(t.get("to")||t.get("revision"))||s.revision,l=o.find(p=>p.revision===a)??s,c=o.find(p=>p.revision===Number(t.get("from"))),d=new Map;for(let p of r)d.set(p.revision,(d.get(p.revision)??0)+1);let u=p=>{let f=o.find($=>$.revision===l.revision+p);f&&J({revision:c?"":f.revision,to:c?f.revision:"",from:c&&f.revision-1||""},{replace:!0})};return fe("Plan",{"[":{label:"previous revision",run:()=>u(-1)},"]":{label:"next revision",run:()=>u(1)},d:l.revision>1&&{label:"show changes or steps",run:()=>J(c?{from:"",to:"",revision:l.revision}:{from:l.revision-1,to:l.revision,revision:""})}}),i`<div class="page plan">
    <header class="plan-head">
      <p><a class="back" href=${x("/plans")}>Plans</a></p>
      <div class="page-head">
        <h1><${m} text=${l.erased?"Erased plan":l.altered?"Altered plan":l.title||e} /></h1>
        <${W} state=${n} />
        <div class="page-head-end"><${Ue} id=${e} /></div>
      </div>
      ${l.goal&&i`<p class="plan-goal"><${m} text=${l.goal} /></p>`}
      <p class="soft plan-about">
        ${[s.task_id&&i`task <a href=${x("/executions",{q:`task:${s.task_id}`})}>${s.task_id}</a>`,s.type,`by ${s.actor}`].filter(Boolean).map((p,f)=>i`${f?" · ":""}${p}`)}
      </p>
      ${n!=="active"&&s.retired_reason&&i`<p class="note">Retired: ${s.retired_reason}</p>`}
    </header>
    <div class="plan-body">
      <section class="plan-main" aria-label=${c?"What changed":`Revision ${l.revision}`}>
        ${c?i`<${zd} before=${c} after=${l} />`:i`<${jg} revision=${l} step=${t.get("step")||""} />`}
        <${R} flush title=${`Executions${r.length===Xr?`, the newest ${Xr}`:""}`}>
          ${r.length?i`<${qg} runs=${r} />`:i`<${q} icon="executions" title="No executions yet." />`}
        <//>
      </section>
      <aside class="plan-side" aria-label="Revisions">
        <${R} title="Revisions"><${Fd} id=${e} revisions=${o} shown=${l.revision} from=${c?.revision??0} counts=${d} /><//>
      </aside>
    </div>
  </div>`}function jg({revision:e,step:t}){let n=e.steps??[],o=n.filter(a=>a.estimate!==void 0&&a.estimate!==null),r=o.reduce((a,l)=>a+Number(l.estimate),0),s=i`Steps of revision ${e.revision}
    <span class="soft panel-note">${o.length?`estimated ${pe(r*1e3)}${o.length<n.length?` for ${o.length} of ${n.length}`:""}`:""}</span>`;return i`
    ${e.warnings?.length?i`<ul class="warnings" aria-label="Warnings">${e.warnings.map(a=>i`<li><${S} name="warning" /> <${m} text=${a} /></li>`)}</ul>`:null}
    ${e.reasoning&&i`<details class="reasoning"><summary>Reasoning</summary><p><${De} text=${e.reasoning} /></p></details>`}
    <${R} flush title=${s}><${Hc} steps=${n} chosen=${t} /><//>`}function qg({runs:e}){return i`<${At} label="Executions of this plan" rows=${e} id=${t=>t.id}
    columns=${[{title:"status",cell:t=>i`<${W} state=${t.status} quiet />`},{title:"execution",cell:t=>i`<a href=${x(`/x/${t.id}`)}><code>${t.id}</code></a>`},{title:"revision",class:"right num",cell:t=>t.revision},{title:"plan",class:"col-wide",cell:t=>i`<${It} row=${t} />`},{title:"by",class:"col-wide",cell:t=>t.client||t.actor},{title:"started",cell:t=>i`<span class="soft"><${I} at=${t.started} /></span>`},{title:"took",class:"right col-wide",cell:t=>i`<${$t} from=${t.started} to=${t.ended} />`}]} />`}var Xr,Wd=E(()=>{K();k();oe();Ae();te();Hd();Ko();U();j();je();Xr=100});function Kd({a:e,b:t,arguments:n=[],results:o=[]}){if(!e||!t)return[e?"only in A":"only in B"];if([e.state,t.state].includes("planned"))return e.state===t.state?[]:["state"];let r=[];e.state!==t.state&&r.push("state"),(e.attempts??0)!==(t.attempts??0)&&r.push("attempts"),n.length&&r.push("arguments"),o.length&&r.push("result");let[s,a]=[e.seconds??0,t.seconds??0].sort((l,c)=>l-c);return a>1&&a>s*Bg&&r.push("duration"),r}function Vd(e){return e.map(({path:t,a:n,b:o,only:r})=>({path:t.replace(/^\$\.?/,"")||"value",kind:{a:"removed",b:"added","":"changed"}[r??""],before:n,after:o}))}function Qr(e){let t=e.ended?(Date.parse(e.ended)-Date.parse(e.started))/1e3:null,n=o=>Object.values(o??{}).reduce((r,s)=>r+s,0);return{status:e.status,revision:e.revision??0,by:e.actor||e.client||"",started:e.started,took:t,steps:rt(e),actions:n(e.actions)+n(e.undos),failed:e.actions?.failed??0,in_doubt:e.in_doubt??0,undone:e.undos?.ok??0,owed:e.owed??0,unplanned:e.unplanned??0}}var Bg,Gd=E(()=>{nr();Bg=1.5});var Qd={};Ce(Qd,{Page:()=>Hg});function Hg({query:e}){let[t,n]=[e.get("a")||"",e.get("b")||""],o=e.get("show")==="all",r=D({kinds:["execution_"]},c=>T("/v1/executions",{limit:Fg},{signal:c})),s=!!(t&&n),a=D({by:[t,n],kinds:["execution_","action_"]},c=>s?T("/v1/comparison",{a:t,b:n},{signal:c}):Promise.resolve(null)),l=r.data?.executions??[];return i`<div class="page compare">
    <div class="page-head"><h1>Compare two executions</h1></div>
    <div class="compare-pick">
      <${Jd} side="A" value=${t} known=${l} onPick=${c=>J({a:c})} />
      <${w} icon="compare" label="Swap A and B" onClick=${()=>J({a:n,b:t})} />
      <${Jd} side="B" value=${n} known=${l} onPick=${c=>J({b:c})} />
    </div>
    <${N} problem=${a.problem} retry=${a.reload} />
    ${s?a.data?i`<${Gg} comparison=${a.data} all=${o} />
            <${Kg} comparison=${a.data} all=${o} />`:!a.problem&&i`<${F} />`:i`<${R}><${q} icon="compare" title="Choose two executions."><p>For example two executions of one plan: one that succeeded and one that failed.</p><//>
          <${Ug} chosen=${t||n} side=${t?"b":"a"} known=${l} /><//>`}
  </div>`}function Jd({side:e,value:t,known:n,onPick:o}){let r=`recent-${e}`;return i`<label class="field compare-field"><span>${e}</span>
    <input type="text" list=${r} value=${t} placeholder="ex_…" spellcheck="false" autocomplete="off" onChange=${s=>o(s.target.value.trim())} />
    <datalist id=${r}>${n.map(s=>i`<option key=${s.id} value=${s.id}>${s.title} (${s.status})</option>`)}</datalist>
  </label>`}function Ug({chosen:e,side:t,known:n}){let o=n.find(s=>s.id===e)?.plan_id,r=n.filter(s=>s.id!==e&&o&&s.plan_id===o).slice(0,zg);return r.length?i`<div class="compare-suggested"><h2>Of the same plan</h2>
    <ul>${r.map(s=>i`<li key=${s.id}><${W} state=${s.status} quiet /> <a href=${x("/compare",t==="b"?{a:e,b:s.id}:{a:s.id,b:e})}><${m} text=${s.title||s.id} /></a> <code class="soft">${s.id}</code> <span class="soft"><${I} at=${s.started} /></span></li>`)}</ul>
  </div>`:null}function Kg({comparison:{a:e,b:t},all:n}){let[o,r]=[Qr(e),Qr(t)],s=l=>o[l]!==r[l]&&l!=="started",a=Wg.filter(([l])=>n||s(l)||l==="status");return i`<${R} flush>
    <table class="table compare-table">
      <thead><tr><th scope="col"><span class="visually-hidden">what</span></th>
        ${[e,t].map((l,c)=>i`<th scope="col"><span class="side">${"AB"[c]}</span> <a href=${x(`/x/${l.id}`)}><${m} text=${l.title||l.id} /></a> <code>${l.id}</code></th>`)}</tr></thead>
      <tbody>${a.map(([l,c])=>i`<tr key=${l} class=${s(l)?"differs":null}>
        <th scope="row">${c}</th>${[o,r].map(d=>i`<td>${Vg(l,d[l])}</td>`)}</tr>`)}</tbody>
    </table>
  <//>`}function Vg(e,t){return e==="status"?i`<${W} state=${t} />`:e==="started"?i`<${I} at=${t} />`:e==="took"?t===null?i`<span class="faint">not ended</span>`:pe(t*1e3):i`<span class="num">${t}</span>`}function Gg({comparison:e,all:t}){let n=e.rows.map(a=>({row:a,differs:Kd(a)})),o=n.filter(a=>a.differs.length),r=n.length-o.length,s=i`<label class="check"><input type="checkbox" checked=${t} onChange=${()=>J({show:t?"":"all"},{replace:!0})} /> show what is the same</label>`;return i`<${R} flush title=${`${o.length} of ${n.length} steps and calls differ`} actions=${s}>
    <p class="compare-legend soft"><span><span class="side">A</span> <a href=${x(`/x/${e.a.id}`)}><${m} text=${e.a.title||e.a.id} /></a></span>
      <span><span class="side">B</span> <a href=${x(`/x/${e.b.id}`)}><${m} text=${e.b.title||e.b.id} /></a></span></p>
    ${!o.length&&i`<${q} icon="check" title="No step or call differs." />`}
    <ul class="compare-rows">${(t?n:o).map(({row:a,differs:l})=>i`<${Jg} key=${`${a.kind} ${a.name}`} row=${a} differs=${l} />`)}</ul>
    ${!t&&r>0&&i`<p class="compare-note"><${w} kind="ghost" icon="down" onClick=${()=>J({show:"all"},{replace:!0})}>${`${r} ${r===1?"is":"are"} the same`}<//></p>`}
    ${!!e.left_out&&i`<p class="soft compare-note">${e.left_out} more are not shown; those that ended otherwise come first.</p>`}
    ${e.whole===!1&&i`<p class="soft compare-note">Only the first actions of a long execution are compared.</p>`}
  <//>`}function Jg({row:e,differs:t}){let[n,o]=h(!!e.arguments?.length),s=[["arguments",e.arguments??[]],["result",e.results??[]]].filter(([,a])=>a.length);return i`<li class=${t.length?"differs":null}>
    <div class="compare-step">
      <div class="compare-name"><strong><${m} text=${e.summary||e.name} /></strong> <code class="soft"><${m} text=${e.name} /></code>
        ${Yd[e.kind]&&i` <${ne} icon=${e.kind==="undo"?"unwinding":"unplanned"}>${Yd[e.kind]}<//>`}</div>
      <${Xd} letter="A" side=${e.a} /><${Xd} letter="B" side=${e.b} />
      <div class="compare-differs">${t.length?i`<${S} name="compare" size=${14} /> ${t.join(", ")}`:i`<span class="faint">same</span>`}
        ${s.length?i`<${w} kind="ghost" icon=${n?"down":"right"} aria-expanded=${String(n)} onClick=${()=>o(!n)}>${n?"hide":"show"}<//>`:null}</div>
    </div>
    ${n&&s.map(([a,l])=>i`<h3>${a}</h3>
      <div class="diff"><${wo} rows=${Vd(l)} titles=${["A","B"]} words=${{removed:"only in A",added:"only in B"}} /></div>`)}
    ${n&&e.cut&&i`<p class="soft">More differences are not shown.</p>`}
  </li>`}function Xd({letter:e,side:t}){return t?i`<div class="compare-side"><span class="side">${e}</span> <${W} state=${t.state||"planned"} quiet />
    ${(t.attempts??0)>1&&i`<span class="soft">${t.attempts} attempts</span>`}
    ${t.seconds!==void 0&&t.seconds!==null&&i`<span class="num soft">${pe(t.seconds*1e3)}</span>`}</div>`:i`<div class="compare-side"><span class="side">${e}</span> <span class="faint">missing</span></div>`}var Fg,zg,Wg,Yd,Zd=E(()=>{K();Gd();k();oe();te();U();j();Fg=50,zg=8;Wg=[["status","status"],["by","by"],["revision","plan revision"],["started","started"],["took","took"],["steps","steps"],["actions","actions"],["failed","failed"],["in_doubt","in doubt"],["unplanned","unplanned"],["undone","undone"],["owed","owed"]];Yd={call:"unplanned call",undo:"undo",step:""}});function dn(e,t){return[e,...t].map(n=>n.map(Xg).join(",")).join(`\r
`)+`\r
`}function Xg(e){if(e==null)return"";if(typeof e=="number")return Number.isFinite(e)?String(e):"";if(e instanceof Ee)return e.source;let t=typeof e=="string"?e:se(e),n=Yg.test(t)?`'${t}`:t;return/[",\r\n]/.test(n)?`"${n.replaceAll('"','""')}"`:n}var Yg,Zr=E(()=>{dt();Le();Yg=/^[\s'"]*[=+\-@\t\r|%＝＋－＠]/});function eu(e,t={count:0}){let n=e.map(d=>d.date),o=d=>e.map(u=>u[d]===null?null:Number(u[d]??0)),r=d=>e.map(u=>(u[d]??null)===null?null:Number(u[d])),s=(d,u)=>e.map(p=>u(p)?Number(p[d]??0)/u(p):null),a=d=>o(d).reduce((u,p)=>u+(p??0),0),l=d=>Number(d.completed??0)+Number(d.failed??0)+Number(d.cancelled??0),c=e.reduce((d,u)=>d+l(u),0);return[{id:"executions",title:pn(n[0])?"Executions per hour":"Executions per day",about:"by when they started, and by how they ended or were interrupted",unit:"count",days:n,stacked:!0,headline:`${a("started")} started`,series:[{name:"completed",values:o("completed"),tone:"ok",form:"bars"},{name:"failed",values:o("failed"),tone:"failed",form:"bars",pattern:"hatch"},{name:"cancelled",values:o("cancelled"),tone:"idle",form:"bars",pattern:"dots"},{name:"closed",values:o("closed"),tone:"plain",form:"bars",pattern:"columns"},{name:"interrupted",values:o("interrupted"),tone:"doubt",form:"bars",pattern:"grid"},{name:"open",values:e.map(d=>Math.max(0,Number(d.started??0)-l(d)-Number(d.closed??0)-Number(d.interrupted??0))),tone:"running",form:"bars",pattern:"stripes"}]},{id:"success",title:"Success",about:"completed executions, as a share of those that ended with a verdict",unit:"share",days:n,headline:c?Zo(a("completed")/c):"–",series:[{name:"success",values:s("completed",l),tone:"ok",form:"line"}]},{id:"duration",title:"Duration",about:`from start to end, of ${t.count} that ended: half took less than p50, 95 of 100 less than p95`,unit:"seconds",days:n,headline:t.count?`p50 ${Bt(t.p50,"seconds")}, p95 ${Bt(t.p95,"seconds")}`:"–",series:[{name:"p50",values:r("p50"),tone:"running",form:"line"},{name:"p95",values:r("p95"),tone:"undo",form:"line",pattern:"dash"}]},{id:"estimate",title:"Estimate against actual",about:"summed over steps that had an estimate and succeeded",unit:"seconds",days:n,headline:a("estimated")?`${(a("actual")/a("estimated")).toFixed(1)} × the estimate`:"–",series:[{name:"estimated",values:r("estimated"),tone:"idle",form:"line",pattern:"dash"},{name:"actual",values:r("actual"),tone:"accent",form:"line"}]},{id:"retries",title:"Retries and unwinding",about:"repeated steps, and executions with undone actions",unit:"count",days:n,headline:`${Qo(a("retries"),"retry","retries")}, ${a("unwound")} unwound`,series:[{name:"retries",values:o("retries"),tone:"doubt",form:"line"},{name:"unwound",values:o("unwound"),tone:"undo",form:"line",pattern:"dash"}]},{id:"waiting",title:"Waiting for people",about:`from each question to its answer, summed; ${Qo(a("asked"),"question")}`,unit:"seconds",days:n,headline:a("waited")?Yn(a("waited")):"–",series:[{name:"waited",values:r("waited"),tone:"waiting",form:"bars"}]},{id:"doubt",title:"In doubt",about:"actions with an unknown outcome",unit:"count",days:n,headline:`${a("in_doubt")} ${a("in_doubt")===1?"action":"actions"}`,series:[{name:"in doubt",values:o("in_doubt"),tone:"doubt",form:"bars",pattern:"hatch"}]}]}function tu(e){return{header:["day",...e.series.map(t=>t.name)],rows:e.days.map((t,n)=>[t,...e.series.map(o=>o.values[n])])}}function nu(e){let t=e.flatMap(n=>n.series.map(o=>({name:`${n.id}: ${o.name}${n.unit==="seconds"?" (s)":""}`,values:o.values})));return{header:["day",...t.map(n=>n.name)],rows:(e[0]?.days??[]).map((n,o)=>[n,...t.map(r=>r.values[o])])}}function Bt(e,t){return e==null?"–":t==="seconds"?Yn(Number(e)):t==="share"?Zo(e):String(e)}function Yn(e){return e===0?"0":e<1?`${Math.round(e*1e3)} ms`:e<120?`${Xo(e)} s`:e<7200?`${Xo(e/60)} min`:e<172800?`${Xo(e/3600)} h`:`${Xo(e/86400)} d`}function es(e,t){return pn(e)?new Intl.DateTimeFormat("en-GB",{day:"numeric",month:"short",hour:"2-digit",minute:"2-digit",timeZone:t}).format(Date.parse(e)):e}function su(e={},t={}){return Object.entries(e).sort((n,o)=>o[1]-n[1]).slice(0,ou).map(([n,o])=>({name:n,value:o,text:t[n]?.calls?`${o} of ${t[n].calls}`:String(o),tone:"failed"}))}function ru(e={}){return Object.entries(e).sort((t,n)=>n[1]-t[1]).map(([t,n])=>({name:Qg[t]??t,value:n,text:String(n),tone:"failed"}))}function iu(e={}){return Object.entries(e).filter(([,t])=>t.compared).map(([t,n])=>{let[o,r]=[Number(n.estimated??0),Number(n.actual??0)];return{name:t,value:o?r/o:0,text:`${Zg(r,o)} (${Yn(r)} for ${Yn(o)})`,tone:r>o?"doubt":"ok"}}).sort((t,n)=>n.value-t.value).slice(0,ou)}function au(e={}){return{header:["agent","executions","success","failed","interrupted","actions","failed actions","in doubt","undone","p50","p95"],rows:Object.entries(e).map(([t,n])=>{let{started:o=0,completed:r=0,failed:s=0,cancelled:a=0,interrupted:l=0,actions:c=0,failures:d=0,undos:u=0,in_doubt:p=0,durations:f}=n,$=r+s+a;return[t,o,$?Zo(r/$):null,s,l,c,d,p,u,un(f.p50),un(f.p95)]})}}function lu(e={}){let t=Object.entries(e).sort((n,o)=>(o[1].durations.p95??-1)-(n[1].durations.p95??-1));return{header:["tool","calls","failed","in doubt","p50","p90","p95","longest"],rows:t.map(([n,{calls:o=0,failed:r=0,in_doubt:s=0,durations:{p50:a,p90:l,p95:c,longest:d}}])=>[n,o,r,s,un(a),un(l),un(c),un(d)])}}function cu(e={}){return Object.entries(e).map(([t,{observed:n=0,claimed:o=0,in_doubt:r=0}])=>{let s=n+o,a=r?`, ${r} in doubt`:"";return{name:t||"unknown",value:s?n/s:0,tone:"ok",text:s?`${Zo(n/s)} of ${s}${a}`:"no calls"}})}function du({executions:e=0,actions:t=0,whole_from:n="",detail_from:o=""}){let r=`Of ${Qo(e,"execution")} and ${Qo(t,"action")}.`,s=n?` What started before ${n.slice(0,10)} was not looked at.`:"",a=o?` Retries, estimates, failures and coverage are of what was done since ${o.slice(0,10)}.`:"";return r+s+a}var Zo,Xo,pn,ou,Qg,Zg,un,Qo,ts=E(()=>{Zo=e=>`${Math.round(e*1e3)/10} %`;Xo=e=>String(Math.round(e*10)/10),pn=e=>(e??"").includes("T");ou=12;Qg={timed_out:"timed out",rate_limited:"too many requests",no_connection:"no connection",not_permitted:"not permitted",not_found:"not found",conflict:"conflict, exists already",invalid:"invalid request",server_error:"server error",out_of_space:"out of disk or memory",cancelled:"cancelled, interrupted",exit_code:"exit code only",other:"something else",no_text:"no error text"};Zg=(e,t)=>`${(e/t).toFixed(1)} ×`;un=e=>e===void 0?null:Yn(Number(e));Qo=(e,t,n=`${t}s`)=>`${e} ${e===1?t:n}`});function uu(e){let t=document.createElement("span");t.hidden=!0,e.append(t);let n=s=>(t.style.color=`var(${s})`,getComputedStyle(t).color),o={};for(let s of["ok","failed","doubt","waiting","running","undo","idle"])o[s]=n(`--${s}-fill`);o.accent=n("--accent");let r={line:n("--line"),faint:n("--ink-faint"),surface:n("--surface"),sans:getComputedStyle(e).fontFamily};return t.remove(),{...r,of:s=>o[s]??o.idle}}function pu(e,t){let n=t.of(e.tone);if(!e.pattern)return n;let o=8,r=Object.assign(document.createElement("canvas"),{width:o,height:o}),s=r.getContext("2d");if(!s)return n;if(s.fillStyle=n,s.fillRect(0,0,o,o),s.strokeStyle=s.fillStyle=t.surface,s.lineWidth=2,e.pattern==="hatch")for(let a of[-o,0,o])s.beginPath(),s.moveTo(a,o),s.lineTo(a+o,0),s.stroke();else e.pattern==="stripes"?(s.fillRect(0,0,o,2),s.fillRect(0,4,o,2)):e.pattern==="columns"?(s.fillRect(0,0,2,o),s.fillRect(4,0,2,o)):e.pattern==="grid"?(s.fillRect(0,0,o,1),s.fillRect(0,0,1,o)):(s.beginPath(),s.arc(o/2,o/2,1.5,0,7),s.fill());return a=>a.ctx.createPattern(r,"repeat")}var fu=E(()=>{});function hu({figure:e}){let t=C(null),[n,o]=h(null),r=Oo(xl),s=be("theme"),a=tt(),[l,c]=h(!1);return _(()=>{let d=matchMedia("(prefers-color-scheme: dark)"),u=()=>c(p=>!p);return d.addEventListener("change",u),()=>d.removeEventListener("change",u)},[]),ke(()=>{let d=t.current;if(!d||!r)return;let u=new r(rb(r,e,d,a,o),nb(e),d),p=new ResizeObserver(()=>u.setSize({width:d.clientWidth,height:$u}));return p.observe(d),()=>{p.disconnect(),u.destroy()}},[r,e,s,l,a]),i`<div class="plot">
    <p class="plot-readout" aria-hidden="true">
      ${n===null?i`<span class="plot-legend">${e.series.map(d=>i`<span><i class=${`swatch swatch-${d.form} pattern-${d.pattern??"plain"} tone-${d.tone}`}></i>${d.name}</span>`)}</span>`:i`<strong>${es(e.days[n],a)}</strong> ${e.series.map(d=>i`<span>${d.name} ${Bt(d.values[n],e.unit)}</span>`)}`}
    </p>
    <div class="plot-canvas" ref=${t} role="img" aria-label=${`${e.title}, ${e.headline}; the table holds the values`}></div>
  </div>`}function gu(e){let t=e.days.map(()=>0);return e.series.map(n=>!e.stacked||n.form!=="bars"?n.values:(t=t.map((o,r)=>Number(o)+Number(n.values[r]??0)),t))}function bu(e){let t=e.series.map((o,r)=>({series:o,index:r})).filter(o=>o.series.form==="bars").reverse(),n=e.series.map((o,r)=>({series:o,index:r})).filter(o=>o.series.form==="line");return[...t,...n]}function nb(e){let t=gu(e);return[e.days.map(n=>Date.parse(n)/1e3),...bu(e).map(({index:n})=>t[n])]}function ob(e){let t=gu(e).flat().filter(a=>Number(a)>0).map(Number),[n,o]=[Math.min(...t),Math.max(0,...t)],r=e.series.every(a=>a.form==="line");if(e.unit==="seconds"&&r&&o>n*eb)return{distr:3,range:()=>[10**Math.floor(Math.log10(n)),10**Math.ceil(Math.log10(o))]};let s=e.unit==="count"?4:1;return{range:()=>[0,e.unit==="share"?1:Math.max(o,s)*1.08]}}function sb(e,t){let n=new Intl.DateTimeFormat("en-GB",{day:"numeric",month:"short",timeZone:t}),o=new Intl.DateTimeFormat("en-GB",{hour:"2-digit",minute:"2-digit",timeZone:t}),r=s=>e&&o.format(s)!=="00:00"?o.format(s):n.format(s);return{space:64,size:24,incrs:e?[1,2,3,6,12,24].map(s=>s*ei):[1,2,7,14,30,90].map(s=>s*mu),values:(s,a)=>a.map(l=>r(l*1e3))}}function rb(e,t,n,o,r){let s=uu(n),a=`11px ${s.sans}`,l={stroke:s.faint,font:a,grid:{stroke:s.line,width:1},ticks:{show:!1}},c=pn(t.days[0]),d=c?o:"Etc/UTC",u=(c?ei:mu)/2,p=ob(t);return{width:n.clientWidth,height:$u,legend:{show:!1},tzDate:f=>e.tzDate(new Date(f*1e3),d),cursor:{y:!1,drag:{setScale:!1,x:!1,y:!1},points:{size:6}},hooks:{setCursor:[f=>r(f.cursor.idx??null)]},scales:{x:{range:(f,$,g)=>[$-u,g+u]},y:p},axes:[{...l,grid:{show:!1},...sb(c,d)},{...l,size:56,space:36,...p.distr?{}:{incrs:tb[t.unit]},values:(f,$)=>$.map(g=>g===null?"":Bt(g,t.unit))}],series:[{},...bu(t).map(({series:f})=>({label:f.name,stroke:s.of(f.tone),width:f.form==="line"?1.75:0,spanGaps:!1,dash:f.pattern==="dash"?[5,4]:void 0,fill:f.form==="bars"?pu(f,s):void 0,paths:f.form==="bars"?e.paths.bars({size:[.72,28],radius:.12}):e.paths.linear(),points:{show:f.form==="line",size:4}}))]}}var $u,ei,mu,eb,tb,yu=E(()=>{k();mr();et();mt();ts();fu();$u=168,ei=3600,mu=24*ei,eb=50,tb={count:[1,2,5,10,20,50,100,200,500,1e3,2e3,5e3,1e4,5e4],seconds:[.1,.5,1,2,5,10,15,30,60,120,300,600,900,1800,3600,7200,10800,21600,43200,86400,172800,604800],share:[.25,.5]}});function xu({figure:e}){let[t,n]=h(!1),o=i`
    <${w} kind="ghost" icon="table" pressed=${t} label=${`${e.title} as a table`} onClick=${()=>n(!t)} />
    <${w} kind="ghost" icon="export" label=${`${e.title} as CSV`} onClick=${()=>ib(e)} />`;return i`<${R} class="figure" title=${e.title} actions=${o} data-testid=${`figure-${e.id}`}>
    <p class="figure-number num">${e.headline}</p>
    <p class="figure-about soft">${e.about}</p>
    ${t?i`<${ab} figure=${e} />`:i`<${hu} figure=${e} />`}
  <//>`}function ib(e){let{header:t,rows:n}=tu(e);Je(`tallystick-${e.id}.csv`,dn(t,n),"text/csv")}function ab({figure:e}){let t=tt();return i`<div class="figure-table" role="region" aria-label=${`${e.title}, values`} tabindex="0">
    <table class="table">
      <thead><tr><th scope="col">${pn(e.days[0])?"hour":"day"}</th>${e.series.map(n=>i`<th scope="col" class="right">${n.name}</th>`)}</tr></thead>
      <tbody>${e.days.map((n,o)=>i`<tr key=${n}><th scope="row">${es(n,t)}</th>${e.series.map(r=>i`<td class="right num">${Bt(r.values[o],e.unit)}</td>`)}</tr>`).reverse()}</tbody>
    </table>
  </div>`}function Xn({title:e,about:t,rows:n,none:o,id:r}){let s=Math.max(1,...n.map(l=>l.value)),a=i`<${w} kind="ghost" icon="export" label=${`${e} as CSV`}
    onClick=${()=>Je(`tallystick-${r}.csv`,dn(["name","value","text"],n.map(l=>[l.name,l.value,l.text])),"text/csv")} />`;return i`<${R} class="figure" title=${e} actions=${a} data-testid=${`figure-${r}`}>
    <p class="figure-about soft">${t}</p>
    ${n.length?i`<table class="figure-bars"><tbody>${n.map(l=>i`<tr key=${l.name}>
          <th scope="row" title=${_e(l.name)}><${m} text=${l.name} /></th>
          <td><svg class=${`figure-bar tone-${l.tone}`} viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true"><rect width=${l.value/s*100} height="10" /></svg></td>
          <td class="right num">${l.text}</td></tr>`)}</tbody></table>`:i`<p class="soft figure-none">${o}</p>`}
  <//>`}function ti({title:e,about:t,id:n,data:{header:o,rows:r},none:s}){let a=i`<${w} kind="ghost" icon="export" label=${`${e} as CSV`} onClick=${()=>Je(`tallystick-${n}.csv`,dn(o,r),"text/csv")} />`;return i`<${R} class="figure figure-wide" title=${e} actions=${a} data-testid=${`figure-${n}`}>
    <p class="figure-about soft">${t}</p>
    ${r.length?i`<div class="figure-scroll" role="region" aria-label=${e} tabindex="0"><table class="table">
          <thead><tr>${o.map((l,c)=>i`<th scope="col" class=${c?"right":null}>${l}</th>`)}</tr></thead>
          <tbody>${r.map(([l,...c])=>i`<tr key=${l}><th scope="row"><${m} text=${String(l)} /></th>
            ${c.map(d=>i`<td class=${ee("right num",!d&&"faint")}>${d??"–"}</td>`)}</tr>`)}</tbody>
        </table></div>`:i`<p class="soft figure-none">${s}</p>`}
  <//>`}var _u=E(()=>{Zr();Fn();k();j();mt();ts();yu()});var vu={};Ce(vu,{Page:()=>db});function db({query:e}){let t=e.get("days")||"",n=t==="1"?"hour":"",o=Object.fromEntries(wu.map(([u])=>[u,e.get(u)||""])),{data:r,problem:s,reload:a}=D({by:[t,...Object.values(o)],kinds:cb},u=>T("/v1/series",{days:t,by:n,...o},{signal:u})),l=le(()=>eu(r?.days??[],r?.durations),[r]),c=r&&!r.days.some(u=>u.started),d=()=>{let{header:u,rows:p}=nu(l);Je(`tallystick-stats-${t?`${t}-days`:"all"}.csv`,dn(u,p),"text/csv")};return i`<div class="page stats">
    <div class="page-head">
      <h1>Stats</h1>
      <${ie} label="Days" value=${t} choices=${lb} onChange=${u=>J({days:u})} />
      ${wu.map(([u,p])=>i`<${ub} key=${u} name=${u} word=${p} value=${o[u]} />`)}
      <div class="page-head-end"><${w} icon="export" disabled=${!r} onClick=${d}>Export as CSV<//></div>
    </div>
    <${N} problem=${s} retry=${a} />
    ${r?c?i`<${R}><${q} icon="stats" title="Nothing was started."><p>Choose more days, or fewer filters.</p><//><//>`:i`<div class="figures">
            ${l.map(u=>i`<${xu} key=${u.id} figure=${u} />`)}
            <${Xn} id="failures" title="Failures by tool" about="actions that ended with failed, of all calls of the tool" rows=${su(r.failures,r.tools)} none="No tool failed." />
            <${Xn} id="errors" title="Failures by kind of error" about="estimated from the texts of the newest failures" rows=${ru(r.errors)} none="Nothing failed." />
            <${Xn} id="estimates" title="Estimate against actual, by tool" about="steps that had an estimate and succeeded: how many times as long they took" rows=${iu(r.tools)} none="No step with an estimate succeeded." />
            <${Xn} id="coverage" title="Coverage by client" about="calls that a hook, a gateway or an adapter saw; the others were only claimed" rows=${cu(r.coverage)} none="No call was recorded." />
            <${ti} id="agents" title="Agents side by side" about="executions by the agent that started them; success is the share of those that ended with a verdict" data=${au(r.agents)} none="No agent started anything." />
            <${ti} id="tools" title="Durations by tool" about="of calls that ended: half took less than p50, 90 and 95 of 100 less than p90 and p95" data=${lu(r.tools)} none="No call was recorded." />
          </div>
          <p class="soft">${du(r)}${r.by==="day"?" Days are in UTC.":""}</p>`:!s&&i`<${F} />`}
  </div>`}function ub({name:e,word:t,value:n}){return i`<label class="inline-field"><span>${t}</span>
    <input type="text" size="12" value=${n} placeholder="all" spellcheck="false" onChange=${o=>J({[e]:o.target.value.trim()})} /></label>`}var lb,wu,cb,ku=E(()=>{K();_u();ts();Zr();Fn();k();te();U();j();lb=[["","All"],["1","Today"],["7","7 days"],["30","30 days"],["90","90 days"]],wu=[["task_id","Task"],["actor","Agent"],["client","Client"]],cb=["execution_","approval_decided"]});function ni(e){let t=fb(e);if(!t)return t;let n=[...e.undos.values()],o=pb.find(([,s])=>n.some(a=>s.has(a)))?.[0]??t,r=o==="undone"&&e.cancellable==="partially-reversible"?"partly":o;return e.kept&&r!=="undone"?"kept":r}function fb(e){return e.kind==="undo"||e.undoes.length||e.effect==="read"||e.state==="skipped"||e.state==="failed"&&e.withoutEffect?"":e.cancellable==="irreversible"?"not_possible":e.whileUnwinding?"may_be_undo":"not_undone"}var pb,Su=E(()=>{pb=[["undone",new Set(["ok"])],["undoing",new Set(["open"])],["in_doubt",new Set(["unknown","doubted"])],["failed",new Set(["failed"])]]});function Eu(){return{seq:0,at:"",status:"",planId:"",revision:0,steps:new Map,actions:new Map,approvals:new Map,decisions:[],context:new Map}}function hb(e,t){e.seq=t.seq,e.at=t.at,Cb[t.kind]?.(e,t,t.facts??{},t.body??{})}function Tu(e){return[...e.actions.values()].map(t=>({action:t,word:ni(t)})).filter(({word:t})=>t&&t!=="undone"&&t!=="kept").sort((t,n)=>+(t.word==="may_be_undo")-+(n.word==="may_be_undo")||n.action.seq-t.action.seq)}function oi(e,t){let n=e.steps.get(t),o=n?.status==="done"?e.actions.get(n.action):void 0;return o&&ni(o)==="undone"&&[...o.undos].some(([a,l])=>l==="ok"&&e.actions.get(a)?.kind==="undo")?"undone":n?.status||"planned"}function Mu(e){let t=new Set(["open","doubted","unknown"]);return[...e.actions.values()].filter(n=>t.has(n.state))}function gb(e,t,n){e.status="running",e.planId=n.plan_id??"",e.revision=n.revision??0}function bb(e,t,n){e.status=n.status}function yb(e,t,n,o){let r={id:t.id,state:"open",seq:t.seq,at:t.at,endSeq:0,ended:"",kind:n.action_kind??"do",undoes:n.undoes?[n.undoes,...n.undoes_too??[]]:[],kept:!1,tool:n.tool??"",step:n.step??"",effect:n.effect??"unsafe",cancellable:n.cancellable??"",attempt:n.attempt??1,summary:typeof o.summary=="string"?o.summary:"",actor:t.actor,witness:t.witness,withoutEffect:!1,whileUnwinding:!!n.while_unwinding,undos:new Map};e.actions.set(r.id,r),si(e,n),os(e,r,!0)}function xb(e,t,n){let o=e.actions.get(t.id);if(!o)return;let r=n.contradicts?"doubted":n.outcome,s=o.state==="failed"&&r==="failed";if(o.withoutEffect=!!n.without_effect||s&&o.withoutEffect,n.contradicts){o.kept=!1;for(let[d,u]of o.undos)["ok","failed","skipped"].includes(u)&&o.undos.delete(d)}let a=o.state==="ok"&&r!=="ok",l=o.state===r&&["ok","failed","skipped"].includes(r);o.state=r,o.endSeq=t.seq,l||(o.ended=t.at);let c=r==="skipped"&&(t.witness==="observed"||!!n.settles);os(e,o,!1,a,c)}function _b(e,t){let n=e.actions.get(t.id);n&&(n.state="doubted",os(e,n,!1))}function wb(e,t,n){let o=n.call?e.actions.get(t.id):void 0;o&&(t.witness==="observed"&&(o.witness="observed"),n.effect&&(o.effect=n.effect,o.tool=n.tool??"",n.step&&Cu(e,o,{step:n.step})),si(e,n))}function vb(e,t,n,o){let r=typeof o.why=="string"?o.why:"";if(e.decisions.push({seq:t.seq,at:t.at,decision:n.decision,why:r,step:n.step??"",actor:n.credential||t.actor}),n.decision==="keep"){for(let l of n.kept??[])kb(e,l);return}if(n.action_id){let l=e.actions.get(n.action_id);l&&Cu(e,l,n),si(e,{approval_id:n.used});return}let s=n.step?Au(e,n.step):void 0;s&&n.decision==="skip"&&(s.status="skipped"),s&&(s.decided=n.decision);let a=e.approvals.get(n.approval_id);a&&(a.blocks=!0),n.decision==="replan"&&n.revision&&(e.revision=n.revision),mb.has(e.status)||(e.status=n.status)}function Cu(e,t,n){t.step||t.undoes.length||t.kind==="undo"||(t.whileUnwinding=!1,t.step=n.step??"",t.cancellable||=n.cancellable??"",t.undoes=n.undoes?[n.undoes,...n.undoes_too??[]]:[],n.undoes&&!n.step&&(t.kind="undo"),t.attempt=n.step?(e.steps.get(n.step)?.attempts??0)+1:1,os(e,t,!0))}function kb(e,t){let n=e.actions.get(t);n&&(n.kept=!0)}function Sb(e,t,n,o){let r=typeof o.question=="string"?o.question:"";e.approvals.set(t.id,{seq:t.seq,question:r,tool:n.tool??"",status:"pending",blocks:!1})}function Eb(e,t,n){let o=e.approvals.get(t.id);if(!o)return;o.status=n.verdict;let r=[...e.approvals.values()].some(s=>s.blocks&&s.status==="pending");e.status==="blocked"&&!r&&(e.status="running")}function Tb(e,t,n,o){e.context.set(n.key,{seq:t.seq,value:o.null?null:o.value})}function si(e,t){let n=t.approval_id?e.approvals.get(t.approval_id):void 0;n&&["approve","edit"].includes(n.status)&&(n.status="used")}function Au(e,t){let n=e.steps.get(t)??{status:"planned",attempts:0,action:"",decided:""};return e.steps.set(t,n),n}function os(e,t,n,o=!1,r=!1){for(let l of t.undoes){let c=e.actions.get(l);c&&(n||o)&&(c.kept=!1),c?.undos.set(t.id,t.state)}if(t.kind!=="do"||!t.step)return;let s=Au(e,t.step),a=r?"planned":$b[t.state];!n&&Mb(s,t,a)||Object.assign(s,{status:a,action:t.id,attempts:s.attempts+(n?1:0),decided:""})}function Mb(e,t,n){return e.action&&e.action!==t.id?n!=="done":e.decided==="skip"&&(n==="in_doubt"||n==="planned")}var $b,mb,ns,Cb,ri=E(()=>{Su();$b={open:"running",ok:"done",failed:"failed",skipped:"skipped",unknown:"in_doubt",doubted:"in_doubt"},mb=new Set(["completed","failed","cancelled","closed"]);ns=class{constructor(t){this.entries=t,this.folded=0,this.state=Eu()}at(t){for(t<this.folded&&(this.folded=0,this.state=Eu());this.folded<t;this.folded+=1)hb(this.state,this.entries[this.folded]);return this.state}countTo(t){let n=this.entries.findIndex(o=>o.seq>t);return n<0?this.entries.length:n}};Cb={execution_started:gb,execution_ended:bb,action_begun:yb,action_ended:xb,action_doubted:_b,action_noted:wb,decision_recorded:vb,approval_requested:Sb,approval_decided:Eb,context_recorded:Tb}});function Iu(e){let[t,n]=h({entries:[],complete:!1,problem:null}),[o,r]=h(0);return Re(s=>s?.kind==="body_erased"&&r(a=>a+1)),_(()=>{let s=new AbortController;return n({entries:[],complete:!1,problem:null}),Ib(e,s.signal,(a,l)=>n({entries:a,complete:l,problem:null})).catch(a=>!s.signal.aborted&&n(l=>({...l,problem:a}))),()=>s.abort()},[e,o]),t}async function Ib(e,t,n){let o=[],r=0;for(;;){let s=await T("/v1/entries",{execution_id:e,after:r,limit:Ab},{signal:t});if(o=[...o,...s.entries],r=s.last_seq,n(o,!s.more),!s.more)return}}function ss(e){let{facts:t={},body:n}=e,o=t.channel==="client"?"A client answered":Nb[e.kind]??e.kind.replaceAll("_"," "),r=[t.outcome,t.decision?.replaceAll("_"," "),t.verdict,t.status&&e.kind==="execution_ended"?t.status:"",t.tool,t.step&&`step ${t.step}`,t.key],s=n?.summary||n?.why||n?.question||n?.error||n?.reason||"";return{word:o,what:r.filter(Boolean).join(" · "),text:typeof s=="string"?s:se(s)}}function rs(e){return e.kind==="action_ended"&&e.facts?.outcome==="failed"?"failed":e.kind==="action_doubted"||e.facts?.outcome==="unknown"?"in_doubt":e.kind==="decision_recorded"?"decision":e.kind.startsWith("approval_")?"approval":""}var Ab,Ob,Ou,Nb,is=E(()=>{K();k();Le();te();Ab=1e3;Ob=new Set(["action_begun","action_ended","decision_recorded","approval_requested","context_recorded"]),Ou=e=>e.findIndex(t=>Ob.has(t.kind))+1,Nb={execution_started:"The execution started",execution_ended:"The execution ended",action_begun:"An action began",action_ended:"An action ended",action_doubted:"An action is in doubt",action_noted:"A note on an action",decision_recorded:"A decision",approval_requested:"A person is asked",approval_decided:"A person answered",context_recorded:"A context value is recorded"}});function Nu({entry:e,execution:t}){let{word:n,what:o,text:r}=ss(e);return i`<${R} class="now-entry" title=${n} actions=${i`<a href=${x(`/x/${t}`,{tab:"journal",entry:e.seq})}>entry ${e.seq}</a>`}>
    <p class="now-what"><strong><${m} text=${o} /></strong></p>
    ${r&&i`<p class="now-text"><${De} text=${r} /></p>`}
    <p class="soft now-about"><span><${m} text=${e.facts?.credential||e.actor} /></span><${Xe} witness=${e.witness} /><${I} at=${e.at} form="absolute" /></p>
    ${e.body&&i`<details><summary>Details</summary><${ae} value=${e.body} label="body" /></details>`}
  <//>`}function Lu({state:e,steps:t,entry:n}){if(!t.length)return null;let o=(...s)=>t.filter(a=>s.includes(oi(e,a.id))).length,r={done_steps:o("done","undone"),undone_steps:o("undone"),skipped_steps:o("skipped"),total_steps:t.length};return i`<${R} flush title=${`Plan, revision ${e.revision}`} actions=${i`<span class="soft num">${rt(r)}</span>`}>
    <ul class="then">
      ${t.map(s=>{let a=e.steps.get(s.id);return i`<li key=${s.id} class=${n.facts?.step===s.id?"is-now":null}>
          <${W} state=${oi(e,s.id)} quiet />
          <span class="then-text"><${m} text=${s.title||s.id} /></span>
          ${a&&a.attempts>1?i`<span class="soft">attempt ${a.attempts}</span>`:null}
        </li>`})}
    </ul>
  <//>`}function Ru({state:e,now:t}){let n=Mu(e);return i`<${R} flush title="Open or in doubt" actions=${i`<span class="soft num">${n.length}</span>`}>
    ${n.length?i`<ul class="then">${n.slice(-50).map(o=>i`<li key=${o.id} class=${o.id===t?"is-now":null}>
          <${W} state=${o.state} quiet /><span class="then-text"><${m} text=${o.summary||o.tool||o.id} /></span>
          <code class="soft">${o.id}</code></li>`)}</ul>`:i`<p class="then-none">No open actions.</p>`}
  <//>`}function Du({state:e,now:t}){let n=Tu(e);return i`<${R} flush title="Undo list" actions=${i`<span class="soft num">${n.length}</span>`}>
    ${n.length?i`<ul class="then">${n.slice(0,50).map(({action:o,word:r})=>i`<li key=${o.id} class=${o.id===t?"is-now":null}>
          <${W} state=${r} quiet /><span class="then-text"><${m} text=${o.summary||o.tool||o.id} /></span>
          ${o.state!=="ok"&&i`<span class="soft">may have happened</span>`}</li>`)}</ul>`:i`<p class="then-none">Nothing to undo.</p>`}
  <//>`}function Pu({state:e}){let t=[...e.approvals.entries()];return i`<${R} flush title="Decisions and approvals" actions=${i`<span class="soft num">${e.decisions.length+t.length}</span>`}>
    ${e.decisions.length||t.length?i`<ul class="then">
          ${t.map(([n,o])=>i`<li key=${n} class=${o.seq===e.seq?"is-now":null}><${W} state=${o.status} quiet /><a class="then-text" href=${x(`/approvals/${n}`)}><${m} text=${o.question||n} /></a></li>`)}
          ${e.decisions.toReversed().slice(0,50).map(n=>i`<li key=${n.seq} class=${n.seq===e.seq?"is-now":null}>
            <strong>${n.decision.replaceAll("_"," ")}</strong><span class="then-text soft"><${m} text=${n.why} /></span></li>`)}
        </ul>`:i`<p class="then-none">Nothing yet.</p>`}
  <//>`}var ju=E(()=>{k();U();j();je();ri();is()});function qu({entries:e,complete:t,at:n,onMove:o,playing:r,onPlay:s,speed:a,onSpeed:l}){let c=e.length,d=$=>(s(!1),o(Math.max(1,Math.min(c,$)))),u=$=>{let g=$>0?e.findIndex((b,M)=>M>=n&&rs(b)):e.slice(0,n-1).findLastIndex(b=>rs(b));g>=0&&d(g+1)};jb(r,Number(a),()=>n<c?o(n+1):s(!1)),fe("Replay",{Space:{label:"play or stop",run:()=>s(!r)},ArrowRight:{label:"next entry",run:()=>d(n+1)},ArrowLeft:{label:"previous entry",run:()=>d(n-1)},l:{label:"next mark: a failure, a doubt, a decision, an approval",run:()=>u(1)},h:{label:"previous mark",run:()=>u(-1)},Home:{label:"to the first entry",run:()=>d(1)},End:{label:"to the last entry",run:()=>d(c)}});let p=e[n-1],f=p?ss(p):{word:"",what:""};return i`<div class="track">
    <div class="track-buttons">
      <${w} kind="ghost" icon="first" label="To the first entry" onClick=${()=>d(1)} />
      <${w} kind="ghost" icon="left" label="Previous entry" onClick=${()=>d(n-1)} />
      <${w} kind="primary" icon=${r?"paused":"running"} onClick=${()=>s(!r)} class="track-play">${r?"Stop":n>=c?"Play again":"Play"}<//>
      <${w} kind="ghost" icon="right" label="Next entry" onClick=${()=>d(n+1)} />
      <${ie} label="Entries per second" value=${a} choices=${Lb} onChange=${l} />
      <span class="track-place num">entry ${n} of ${c}${t?"":" read so far"}</span>
    </div>
    <div class="track-line">
      <${Db} entries=${e} />
      <input type="range" min="1" max=${Math.max(1,c)} step="1" value=${n} aria-label="Entry" data-testid="scrubber"
        aria-valuetext=${`entry ${n} of ${c}: ${f.word} ${f.what}`} onInput=${$=>d(Number($.target.value))} />
    </div>
    <p class="track-legend soft">
      <span><i class="mark mark-failed"></i> failed</span><span><i class="mark mark-in_doubt"></i> in doubt</span>
      <span><i class="mark mark-decision"></i> decision</span><span><i class="mark mark-approval"></i> approval</span>
      <span class="track-keys"><${Be} keys="h" /> <${Be} keys="l" /> between marks, <${Be} keys="Space" /> to play</span>
    </p>
  </div>`}function Db({entries:e}){let t=e.map((r,s)=>({kind:rs(r),index:s})).filter(r=>r.kind),n=Math.ceil(t.length/Rb),o=r=>e.length>1?r/(e.length-1)*1e3:0;return i`<svg class="track-marks" viewBox="0 0 1000 12" preserveAspectRatio="none" aria-hidden="true">
    ${t.filter((r,s)=>s%n===0).map(r=>i`<path key=${r.index} class=${`mark-${r.kind}`} d=${`M${o(r.index)} ${Pb[r.kind]}V12`} vector-effect="non-scaling-stroke" />`)}
  </svg>`}function jb(e,t,n){let o=C(n);o.current=n,_(()=>{if(!e)return;let r=setInterval(()=>o.current(),1e3/t);return()=>clearInterval(r)},[e,t])}var Lb,Rb,Pb,Bu=E(()=>{k();Ae();j();is();Lb=[["1","1/s"],["4","4/s"],["20","20/s"]],Rb=400;Pb={failed:0,in_doubt:2,approval:5,decision:7}});var Fu={};Ce(Fu,{Page:()=>Bb});function Bb({id:e,query:t}){let{entries:n,complete:o,problem:r}=Iu(e),s=D({by:[e],kinds:["execution_ended"]},Z=>T(`/v1/executions/${encodeURIComponent(e)}/status`,{limit:1},{signal:Z})),a=s.data?.execution,l=D({by:[a?.plan_id??""],kinds:["plan_recorded"]},Z=>a?.plan_id?T(`/v1/plans/${a.plan_id}`,{},{signal:Z}):Promise.resolve(null)),c=be("zone"),[d,u]=h(0),[p,f]=h(!1),[$,g]=h("4"),b=le(()=>new ns(n),[n]),M=Number(t.get("at"))||0;_(()=>{d||!n.length||!o&&n[n.length-1].seq<M||u(Math.max(1,M?b.countTo(M):Ou(n)))},[n,o]),_(()=>{if(!d||p)return;let Z=setTimeout(()=>J({at:n[d-1]?.seq},{replace:!0}),qb);return()=>clearTimeout(Z)},[d,p]);let v=Z=>{Z&&d>=n.length&&u(1),f(Z)},y=Math.min(d,n.length),A=n[y-1],O=A?b.at(y):null,P=l.data?.revisions.find(Z=>Z.revision===O?.revision)?.steps??[];return i`<div class="page replay">
    <header class="replay-head">
      <p><a class="back" href=${x(`/x/${e}`)}>Current state of the execution</a></p>
      <div class="page-head">
        <h1>Replay of <${m} text=${a?.title||e} /></h1>
        ${O?.status&&i`<${W} state=${O.status} />`}
        ${A&&i`<time class="soft num" dateTime=${A.at}>${Qt(A.at,c)}</time>`}
      </div>
    </header>
    <${N} problem=${r||s.problem} />
    ${!A||!O?!r&&i`<${F} what=${n.length?`Reading, ${n.length} entries so far`:"Reading"} />`:i`
        <${qu} entries=${n} complete=${o} at=${y} onMove=${u} playing=${p} onPlay=${v} speed=${$} onSpeed=${g} />
        ${!o&&i`<p class="soft" role="status">Reading on: ${n.length} entries so far.</p>`}
        <div class="replay-body">
          <div><${Nu} entry=${A} execution=${e} /><${Pu} state=${O} /></div>
          <div><${Lu} state=${O} steps=${P} entry=${A} /><${Ru} state=${O} now=${A.id} /></div>
          <div><${Du} state=${O} now=${A.id} /></div>
        </div>
        <p class="soft">A doubt appears with the entry that records it. Owed actions are listed newest first; the page of the execution has the order to undo them.</p>`}
  </div>`}var qb,zu=E(()=>{K();k();te();ri();ju();is();Bu();U();et();j();qb=300});async function Hu(e,t){let n=[],o=0;for(let r=!0;r;){let s=await T("/v1/export",{after:o,limit:Fb});n.push(...s.lines.map(a=>`${a.trimEnd()}
`)),{last_seq:o,more:r}=s,t(o)}Je(`${e}.jsonl`,n,"application/x-ndjson")}var Fb,Uu=E(()=>{K();Fn();Fb=2e3});var Ku={};Ce(Ku,{Page:()=>zb});function zb(){let[e,t]=h({name:"",busy:!1,read:null,problem:null}),[n,o]=h(!1),r=C(null),s=async l=>{if(!l)return;t({name:l.name,busy:!0,read:null,problem:null});let c=await Ub(l).then(d=>({read:d,problem:null}),d=>({read:null,problem:d}));t({name:l.name,busy:!1,...c})};return i`<div class="page import">
    <div class="page-head"><h1>Open an export</h1></div>
    <p class="soft import-lead">Choose a JSONL file of a journal, written by <code>tallystick export</code> or by the button below, or of one
      execution, written by its page. The server verifies it as far as possible and keeps it in memory for a while. Only you see it. The journals of this server are not changed.</p>
    <div class=${`drop ${n?"is-over":""}`} onDragOver=${l=>(l.preventDefault(),o(!0))} onDragLeave=${()=>o(!1)} onDrop=${l=>{l.preventDefault(),o(!1),s(l.dataTransfer?.files[0])}}>
      <${S} name="import" size=${24} />
      <p>Drop a file here, or</p>
      <${w} kind="primary" disabled=${e.busy} onClick=${()=>r.current?.click()}>Choose a file<//>
      <input ref=${r} type="file" accept=".jsonl,.ndjson,application/x-ndjson" class="visually-hidden" tabindex="-1" aria-label="JSONL file"
        onChange=${l=>(s(l.target.files[0]),l.target.value="")} />
    </div>
    <p role="status" class="soft">${e.busy?`Reading ${e.name}…`:""}</p>
    <${N} problem=${e.problem} />
    ${e.read&&i`<${Wb} name=${e.name} read=${e.read} />`}
    <${Hb} />
  </div>`}function Hb(){let e=Ie(),[t,n]=h(""),[o,r]=h(null),s=Q()||e.journal||"journal";return i`<section class="take-along" aria-labelledby="take-along">
    <h2 id="take-along">Export this journal</h2>
    <p class="soft import-lead">Every entry of <code>${s}</code>, exactly as stored. Anyone can verify the file
      with <code>tallystick verify --file ${s}.jsonl</code>, or with Python alone.</p>
    <${w} icon="export" onClick=${async()=>{r(null),await Hu(s,l=>n(`Read ${l} entries…`)).then(()=>n("The download has started."),l=>(n(""),r(l)))}}>Export the whole journal<//>
    <p role="status" class="soft">${t}</p>
    <${N} problem=${o} />
  </section>`}async function Ub(e){if(e.size>Wu)throw Object.assign(new Error(`${e.name} is larger than ${Wu/1024/1024} MB.`),{hint:"Export less, for example one execution."});return Te("/v1/imports",await e.text())}function Wb({name:e,read:t}){return i`<${R} title=${e}>
    <div class="import-result">
      ${t.verified?i`<p class="import-good"><${S} name="completed" /> The chain verifies from the first entry of this file to the last. Only a head stored elsewhere can show whether later entries are missing, or whether all of it was rewritten.</p>`:i`<p class="warning-note"><${S} name="warning" /> It does not verify: ${(t.problem||"the chain is broken").replace(/\.$/,"")}. Readable entries are shown anyway; do not rely on them.</p>`}
      <${Ne} rows=${[["entries",i`<span class="num">${t.entries}</span>`],["shown as",i`<code>${t.journal}</code>`]]} />
      <${ze} kind="primary" icon="executions" href=${`/executions?journal=${encodeURIComponent(t.journal)}`}>Open it<//>
    </div>
  <//>`}var Wu,Vu=E(()=>{K();Uu();k();oe();U();Fe();j();Wu=32*1024*1024});var Gu={};Ce(Gu,{Page:()=>Kb});function Kb(){return i`<h1 class="visually-hidden">Not found</h1>
    <${q} title="There is no page at this address.">
      <a href=${x("/executions")}>All executions</a>
    </${q}>`}var Ju=E(()=>{k();U();j()});k();Ht();var Ui=()=>!document.activeElement||document.activeElement===document.body||document.activeElement.id==="main";function Wi(){let e=null;document.addEventListener("focusin",t=>e=t.target instanceof Element?t.target:null),new MutationObserver(()=>{!e||e.isConnected||document.activeElement!==document.body||(e=null,document.getElementById("main")?.focus({preventScroll:!0}))}).observe(document.body,{childList:!0,subtree:!0})}Ae();te();var wr={};Ce(wr,{Page:()=>Q$});K();K();k();te();U();j();function Wa({execution:e,task:t}){let{data:n,problem:o,reload:r}=D({by:[e,t],kinds:["context_recorded","body_erased"]},async s=>{let a=[{scope:"execution",execution_id:e},...t?[{scope:"task",task_id:t}]:[]];return(await Promise.all(a.map(c=>T("/v1/context",{...c,limit:100},{signal:s})))).flatMap(c=>c.values)});return o?i`<${N} problem=${o} retry=${r} />`:n?n.length?i`<div class="context-tab">${n.map(s=>i`<${bf} key=${s.scope+s.key} value=${s} execution=${e} />`)}</div>`:i`<${q} icon="context" title="No context values for this execution."><a href=${x("/context")}>Context of the whole project</a></${q}>`:i`<${F} />`}function bf({value:e,execution:t}){let[n,o]=h(!1);return i`<${R} title=${i`<code><${m} text=${e.key} /></code>`} actions=${i`<span class="faint">${e.type} · for this ${e.scope} · <${m} text=${e.actor} /> · <${I} at=${e.at} /></span>`}>
    ${e.erased||e.altered?i`<p class="soft">${e.erased?"Its text was erased.":"Its stored text was altered and is not shown."}</p>`:i`<${ae} value=${e.value} label=${e.key} />`}
    ${e.versions>1&&i`<${w} kind="ghost" aria-expanded=${String(n)} onClick=${()=>o(!n)}>${n?"Hide":"Show"} its history (${e.versions})</${w}>`}
    ${n&&i`<${yf} value=${e} execution=${t} />`}
  </${R}>`}function yf({value:e,execution:t}){let n=e.scope==="execution"?{execution_id:t}:{task_id:e.scope_id},{data:o,problem:r}=D({by:[e.key,e.seq]},s=>T(`/v1/context/${encodeURIComponent(e.key)}`,{scope:e.scope,...n,limit:50},{signal:s}));return r?i`<${N} problem=${r} />`:o?i`<ol class="history">${o.values.slice(1).map(s=>i`<li key=${s.seq}><p class="faint"><${I} at=${s.at} /> by <${m} text=${s.actor} /></p><${ae} value=${s.value} label=${`${e.key}, earlier`} /></li>`)}</ol>`:i`<${F} />`}k();j();function Ka({coverage:e}){return e?i`<div class="coverage-tab">
    <${R} title="Recorded actions">
      <div class="seen-figures">
        <${So} value=${e.begun} word="begun" />
        <${So} value=${e.ended} word="finished" />
        <${So} value=${e.open||0} word="without an end" />
        <${So} value=${e.unplanned||0} word="unplanned" />
      </div>
      <p class="soft">Observed: a hook, a gateway or a runner saw the call. Claimed: the agent reported it. Last entry ${e.silent_for} ago.</p>
      ${e.unobserved_client&&i`<p class="warn">No events from the hooks of ${e.unobserved_client} in this conversation: its calls are not recorded. <code>tallystick setup --check</code> says why.</p>`}
      ${e.spool_behind?i`<p class="warn">${e.spool_behind} bytes of hook events are not in the journal yet.</p>`:null}
    </${R}>
    <${R} title="Observers">
      ${e.observers?.length?e.observers.map(t=>i`<div class="observer" key=${t.session}>
              <${Ne}
                rows=${[["client",i`${t.client} ${t.silent?i`<${ne} tone="failed" icon="warning">silent</${ne}>`:t.alive===!1?i`<${ne} tone="idle">ended</${ne}>`:i`<${ne} tone="ok" icon="observed">active</${ne}>`}`],["session",i`<code>${t.session}</code>`],["conversation",t.conversation],["last event",i`<${I} at=${t.last_event} />`]]}
              />
            </div>`):i`<p>No hook, gateway or adapter sees the agent of this execution: what is claimed here is only what the agent reported. To record calls by hooks, run <code>tallystick setup</code>.</p>`}
    </${R}>
  </div>`:i`<${q} title="No coverage is known." />`}function So({value:e,word:t}){return i`<p class="seen-figure"><strong>${e??0}</strong><span>${t}</span></p>`}Zt();k();Le();On();He();Gt();Ut();Ln();nn();Zt();Ht();k();oe();Le();U();Fe();He();Gt();Ut();k();var Mo=new Set,dr=new Set;function Ya(e,t){_(()=>{if(t)return Mo.add(e),()=>{Mo.delete(e);for(let n of dr)n(0)}},[e,t])}function Rn(e){let[,t]=Ft(r=>r+1,0),n=C([]);_(()=>(dr.add(t),()=>{dr.delete(t)}),[]);let o=[...e];return n.current.forEach((r,s)=>{(Mo.has(r.action_id)||Mo.has(r.undone_by||""))&&!e.some(l=>l.action_id===r.action_id)&&o.splice(s,0,{...r,gone:!0})}),n.current=o}function Dn({about:e,acts:t,label:n,over:o="It changed meanwhile.",first:r,more:s,onDone:a}){let[l,c]=h(""),[d,u]=h(""),p=C(void 0);Ya(e,!!l);let f=C(null),$=C("");_(()=>{let y=f.current;return()=>Af(y,!!$.current)},[]),_(()=>{if(l||!$.current)return;f.current?.querySelector(d?".act-receipt":`[data-act="${$.current}"]`)?.focus()},[l]);let g=t.find(y=>y.id===l),b=p.current=l?g??p.current:void 0;if(Se()||!t.length&&!r&&!s&&!b&&!d)return null;let M=y=>($.current=y||l,u(""),c(y)),v=y=>{let A=If(y,e.startsWith("ex_"));$e(A,"ok"),u(A),$.current=l,c(""),a?.(y)};return i`<div class="acts" ref=${f}>
    ${!b&&i`<div class="acts-row" role="group" aria-label=${n}>
      ${r}
      ${t.map(y=>i`<${w} key=${y.id} icon=${y.icon} kind=${y.danger?"danger":"plain"} data-act=${y.id} onClick=${()=>M(y.id)}>${y.label}<//>`)}
      ${s}
    </div>`}
    ${b&&i`<${Of} key=${b.id} act=${b} about=${e} over=${g?"":o} onDone=${v} onCancel=${()=>M("")} />`}
    ${d&&!b&&i`<p class="act-receipt" tabindex="-1" role="status"><${S} name="check" size=${14} /> ${d}</p>`}
  </div>`}function Af(e,t){!t&&!e?.contains(document.activeElement)||setTimeout(()=>document.activeElement===document.body&&document.getElementById("main")?.focus({preventScroll:!0}))}function If({seq:e,repeated:t,status:n,state:o,notes:r=[]},s){let a=o?` The action is ${o==="in_doubt"?"still in doubt":o}.`:n&&s?` The execution is ${n}.`:"";return`${t?"Was recorded before":"Recorded"} as entry ${e}.${a}${r.length?` ${r.join(" ")}`:""}`}function Of({act:e,about:t,over:n,onDone:o,onCancel:r}){let s=Ie(),a=Object.fromEntries([...e.fields.map(({name:z,choices:H})=>[z,H?.[0][0]||""]),["key",""],["sent",""]]),[l,c,d]=ao(ro("act",t,e.id),a),[u,p]=h(!1),[f,$]=h(!1),[g,b]=h(null),M=C(null),v=Me(),y=e.fields.find(({name:z,missing:H})=>H&&!l[z]?.trim()),A=e.needs==="approve"?s.may_decide:s.scopes.some(z=>z==="agent"||z==="run"),O=C(!1);_(()=>{O.current&&!Ui()||(O.current=!0,M.current?.querySelector("textarea, .choice button, [type=submit]")?.focus(),M.current?.scrollIntoView({block:"nearest"}))},[A]);let P=async z=>{if(z.preventDefault(),p(!0),y||f||!A||n)return;$(!0);let H=e.request(l),V=se(H),Y=l.sent===V&&l.key?l.key:tn();c({sent:V,key:Y});try{let re=await e.send(H,Y);d(),o(re)}catch(re){let{status:B}=re;(B===401||B===403)&&ut(),b(re),$(!1)}},Z=()=>{n&&d(),r()};return i`<div class="act" ref=${M} onKeyDown=${z=>{z.key==="Escape"&&(z.stopPropagation(),Z()),z.key==="Enter"&&(z.metaKey||z.ctrlKey)&&P(z)}}>
    <form onSubmit=${P} aria-labelledby=${`${v}-title`}>
      <p class="act-title" id=${`${v}-title`}>${e.title}</p>
      ${e.note&&i`<p class="soft">${e.note}</p>`}
      ${e.fields.map(z=>i`<${Nf} key=${z.name} field=${z} value=${l[z.name]} onInput=${H=>c({[z.name]:H})} />`)}
      <p class="field-problem" role="alert">${u&&y?y.missing:""}</p>
      ${g&&i`<div class="act-refusal" role="alert"><${S} name="warning" size=${14} /><span>${g.message}${g.hint&&i` <strong>${g.hint}</strong>`}</span></div>`}
      ${n&&!f&&i`<div class="act-refusal" role="alert"><${S} name="warning" size=${14} /><span>${n} <strong>Nothing can be sent any more.</strong></span></div>`}
      <div class="act-send">
        ${A&&i`<${w} kind=${e.danger?"danger":"primary"} type="submit" icon=${e.icon} disabled=${f||!!n}>${e.submit}<//>`}
        <${w} kind="ghost" onClick=${Z}>${n?"Close":"Not yet"}<//>
      </div>
    </form>
    ${!A&&!n&&s.version&&i`<${Lf} act=${e} />`}
    ${!n&&i`<${Rf} act=${e} open=${!A} />`}
  </div>`}function Nf({field:e,value:t,onInput:n}){let{label:o,hint:r,choices:s}=e;return s?i`<div class="field"><span>${o}</span><${ie} label=${o} value=${t} choices=${s} onChange=${n} /></div>`:i`<label class="field"><span>${o} ${r&&i`<span class="faint">${r}</span>`}</span>
    <textarea rows="2" value=${t} maxlength="2000" onInput=${a=>n(a.target.value)}></textarea></label>`}function Lf({act:e}){return e.needs==="approve"?i`<p class="note">Only a person who may decide can do this. What you typed is kept.</p><${Ge} />`:i`<p class="note">This is decided by whoever may record: an agent or a runner, with the scope <code>agent</code> or <code>run</code>. Your login may not. Ask the agent, or use the command where the journal is.</p>`}function Rf({act:e,open:t}){let n=gt().commandLine(e.command);return i`<details class=${ee("act-command",t&&"is-needed")} open=${t}>
    <summary>At the command line</summary>
    <span class="command"><code>${n}</code><${ge} text=${n} what="the command" /></span>
  </details>`}K();Zt();var pr=(e,t)=>Te("/v1/decisions",e,{key:t}),Df=(e,t)=>Te("/v1/actions",e,{key:t}),ur=(e,t)=>({name:"evidence",label:e,hint:"recorded in the journal as yours",missing:t}),Co=e=>({name:"why",label:"Reason",hint:"recorded in the journal, and shown to the agent",missing:e}),Xa="Say how you know: look at the real system first.";function Qa(e){let t={decision:"settle",action_id:e},n=r=>`record decision settle --action-id ${Ve(e)} --outcome ${r} --evidence 'how you know'`,o={needs:"approve",send:pr};return[{...o,id:"happened",label:"It happened",icon:"check",title:"It happened",submit:"Record that it happened",command:n("ok"),fields:[{name:"outcome",label:"What came of it",choices:[["ok","It succeeded"],["failed","It failed"],["without_effect","It failed and changed nothing"]]},ur("How you know",Xa)],request:({outcome:r,evidence:s})=>({...t,evidence:s,...r==="without_effect"?{outcome:"failed",without_effect:!0}:{outcome:r}})},{...o,id:"not",label:"It did not",icon:"close",title:"It did not happen",submit:"Record that it did not happen",command:n("skipped"),note:"The agent may then do it again.",fields:[ur("How you know",Xa)],request:({evidence:r})=>({...t,outcome:"skipped",evidence:r})},{...o,id:"unknown",label:"I cannot tell yet",icon:"in_doubt",title:"You cannot tell yet",submit:"Record what you looked at",command:n("unknown"),note:"It stays in doubt, and nobody repeats it. The next person reads what you looked at.",fields:[ur("What you looked at","Say what you looked at.")],request:({evidence:r})=>({...t,outcome:"unknown",evidence:r})}]}function Za(e){return[{id:"undid",label:"I undid it",icon:"unwinding",title:"You undid it",submit:"Record that it is undone",needs:"approve",send:Df,note:"Tallystick undoes nothing: say so only when it is done.",fields:[{name:"summary",label:"What you did, and how you checked it",missing:"Say what you did."}],request:({summary:t})=>({phase:"done",kind:"undo",undoes:e,outcome:"ok",summary:t}),command:`record action done --kind undo --undoes ${Ve(e)} --outcome ok --summary 'what you did'`},{id:"keep",label:"Keep it",icon:"save",title:"Keep it as it is",submit:"Take it off the list",needs:"approve",send:pr,note:"It is then not owed any more. Nothing is undone.",fields:[Co("Say why it is kept.")],request:({why:t})=>({decision:"keep",action_id:e,why:t}),command:`record decision keep --action-id ${Ve(e)} --why 'the reason'`}]}var Pf=[["stop","Stopped"],["fail","Failed"],["done","Done"]],Pn=(e,t,n)=>({id:t,needs:"approve",send:pr,fields:[Co(`Say why you decide to ${t}.`)],request:o=>({decision:t,execution_id:e,why:o.why}),command:`record decision ${t} --execution-id ${Ve(e)} --why 'the reason'`,...n}),jf=e=>Pn(e,"stop",{id:"end",label:"End it",icon:"cancelled",danger:!0,title:"End this execution",submit:"End it for good",note:"It stays ended. Stopped and failed: what was done and is not undone is owed. Done: what is left undone is recorded with your reason.",fields:[{name:"decision",label:"How it ended",choices:Pf},Co("Say why you end it.")],request:({decision:t,why:n})=>({decision:t,execution_id:e,why:n,...t==="done"?{incomplete:!0}:{}})}),qf={running:["pause","unwind"],blocked:["pause","unwind"],paused:["resume","unwind"],unwinding:["pause"]};function el({id:e,status:t}){let n={pause:Pn(e,"pause",{label:"Pause",icon:"paused",title:"Pause this execution",submit:"Pause it",note:"No new action may begin. What is under way may end."}),resume:Pn(e,"resume",{label:"Resume",icon:"running",title:"Resume this execution",submit:"Resume it"}),unwind:Pn(e,"unwind",{label:"Unwind",icon:"unwinding",danger:!0,needs:"agent",title:"Unwind this execution",submit:"Unwind it",note:"What was done becomes owed, the newest first. No planned step begins any more."})},o=qf[t];return o?[...o.map(r=>n[r]),jf(e)]:[]}var Bf=["running","blocked","unwinding"],jn=e=>Bf.includes(e),tl=(e,t)=>Pn(e,"retry",{label:"Retry",icon:"replay",needs:"agent",title:"Permit another attempt",submit:"Permit one retry",note:"It permits one repeated call of this step.",fields:[Co("Say why another attempt will do better.")],request:({why:n})=>({decision:"retry",execution_id:e,step:t,why:n}),command:`record decision retry --execution-id ${Ve(e)} --step ${Ve(t)} --why 'the reason'`});function qn({action:e,doubtful:t=!0,onDone:n}){return i`<${Dn} about=${e} label="What came of it" acts=${t?Qa(e):[]} over="It is not in doubt any more." onDone=${n} />`}var nl="runner",Ff=["not_undone","undoing","partly","failed","may_be_undo","in_doubt"];function ol({item:e,offered:t,onDone:n}){let{action_id:o,state:r,undo:s,undone_by:a}=e,l=t&&Ff.includes(r)&&!e.gone,c=s?.tool?`${s.tool} ${se(s.arguments||{})}`:s?.words||"",d=l&&c&&i`<${Hf} text=${c} word="Copy the undo" done="The undo is copied." />`,u=l&&r==="in_doubt"&&!!a;return i`${u&&i`<p class="soft">Its undo is in doubt:</p>`}
    ${a&&i`<${qn} action=${a} doubtful=${u} onDone=${n} />`}
    <${Dn} about=${o} label="What is owed" acts=${l?Za(o):[]} over="It is undone or kept by now." more=${d} onDone=${n} />`}function zf({execution:{id:e,interrupted_by:t}}){let{shown:n}=ht(),{commandLine:o}=gt(),r=o(`get brief --execution-id ${e}`),s=o(`run --resume ${e}`),a=`Continue the execution ${e} of the Tallystick journal ${JSON.stringify(n)}. First read its brief: query_ledger with view=brief and execution_id=${e}, or the command ${r}. Look at the real system and settle what is in doubt; repeat nothing that is in doubt. Then go on with the next step, or ask me.`;return i`<div class="take-up">
    ${t===nl&&i`<p class="act-title">Let a runner go on</p>
      <p class="soft">Add the <code>--tools</code>, <code>--mcp</code> and <code>--policy</code> of the first time. A run of <code>tallystick serve</code> goes on when that runs again.</p>
      <span class="command"><code>${s}</code><${ge} text=${s} what="the command" /></span>`}
    <p class="act-title">${t===nl?"Or paste":"Paste"} this into an agent</p>
    <div class="take-up-text"><p>${a}</p><${ge} text=${a} what="the text for an agent" /></div>
  </div>`}function sl({execution:e,onDone:t}){let[n,o]=h(!1),r=el(e),s=e.interrupted&&i`<${w} kind="primary" icon="follow" aria-expanded=${String(n)} onClick=${()=>o(!n)}>Take it up<//>`;return i`<${Dn} about=${e.id} label="Decide about this execution" acts=${r} over=${`The execution is ${e.status} by now.`} first=${s} onDone=${t} />
    ${n&&e.interrupted&&i`<${zf} execution=${e} />`}`}function rl({execution:e,step:t,failed:n,onDone:o}){return i`<${Dn} about=${`${e} ${t}`} label="Failed step" acts=${n?[tl(e,t)]:[]} over="No retry can be permitted any more." onDone=${o} />`}function Hf({text:e,word:t,done:n}){return i`<${w} icon="copy" onClick=${async()=>{let r=await Vt(e);$e(r?n:"It cannot be copied.",r?"ok":"failed")}}>${t}<//>`}K();k();Ae();te();U();j();K();k();te();U();j();var Uf=[["why","Why"],["question","Question"],["answer","Answer"],["reason","Reason"],["summary","Summary"],["error","Error"],["rejected","Why the others were not chosen"]];function il({seq:e,onAction:t}){let{data:n,problem:o,reload:r}=D({by:[e],kinds:["body_erased"]},c=>T("/v1/entries",{after:e-1,limit:1},{signal:c}));if(o)return i`<${N} problem=${o} retry=${r} />`;if(!n)return i`<${F} />`;let s=n.entries[0];if(!s||s.seq!==e)return i`<p class="soft">There is no entry ${e}, or you may not see it.</p>`;let a=s.body||{},{facts:l}=s;return i`<div class="detail-body">
    <h2>${Bn(s.kind)}</h2>
    <p class="detail-tags">${l.decision&&i`<strong>${l.decision}</strong>`}${l.status&&i`<${W} state=${l.status} />`}<${Xe} witness=${s.witness} /></p>
    <${Ne}
      rows=${[["entry",i`<code>${s.seq}</code>`],["about",s.id&&(s.id.startsWith("ac_")?i`<button type="button" class="row-button mono" onClick=${()=>t(s.id)}>${s.id}</button>`:i`<${Ue} id=${s.id} />`)],["by",i`<${m} text=${s.actor||"–"} /> (${s.actor_kind||"agent"})`],["at",i`<${I} at=${s.at} />`],["clock",s.behind&&`${pe(s.behind*1e3)} behind the entry before`],["step",l.step&&i`<code><${m} text=${l.step} /></code>`],["approval",l.approval_id&&i`<a href=${x(`/approvals/${l.approval_id}`)}><code>${l.approval_id}</code></a>`],["trace",s.trace&&i`<code>${s.trace}</code>`],["key",s.key&&i`<code>${s.key}</code>`],["hash",i`<code class="hash">${s.hash}</code>`]]}
    />
    ${s.kind==="unreadable"&&i`<p class="warn">This entry cannot be read: <${m} text=${l.problem} />. ${l.needs?`Install ${l.needs==="newer"?"the newest version":`version ${l.needs}`}.`:i`Run <code>tallystick verify</code> to see whether it was changed.`}</p>`}
    ${s.erased&&i`<p class="soft">Its text was erased. The entry remains, and the chain still verifies.</p>`}
    ${s.altered&&i`<p class="warn">Its stored text is not the one that was recorded, and is not shown. Run <code>tallystick verify</code>.</p>`}
    ${Uf.map(([c,d])=>typeof a[c]=="string"&&a[c]?i`<section class="part"><h3>${d}</h3><${Yt} text=${a[c]} /></section>`:null)}
    ${Array.isArray(a.alternatives)&&i`<section class="part"><h3>Alternatives</h3><ul>${a.alternatives.map(c=>i`<li><${m} text=${String(c)} /></li>`)}</ul></section>`}
    <section class="part"><h3>Raw</h3><${ae} value=${s} label="entry" /></section>
  </div>`}function al({entries:e}){return i`<section class="part">
    <h3>Entries (${e.length})</h3>
    ${e.map(t=>i`<details class="entry-raw" key=${t.seq}>
        <summary><span class="num faint">${t.seq}</span> ${Bn(t.kind)} <${Xe} witness=${t.witness} /> <span class="faint"><${m} text=${t.actor} /></span></summary>
        <${ae} value=${t} label=${`entry ${t.seq}`} />
        <p><a href=${x(location.pathname,{tab:"journal",entry:t.seq})}>Link to this entry</a></p>
      </details>`)}
  </section>`}var Bn=e=>e.replaceAll("_"," ");function ll({execution:e,status:t,action:n,step:o,entry:r,steps:s,onClose:a,onAction:l}){let c=C(null);return fe("Detail",{Escape:{label:"close the detail",run:a}}),_(()=>{let d=document.activeElement;return()=>{(!document.activeElement||document.activeElement===document.body)&&d instanceof HTMLElement&&d.isConnected&&d.focus()}},[]),_(()=>{matchMedia("(max-width: 1000px)").matches&&c.current?.focus()},[n,o,r]),i`<aside class="detail" aria-label="Detail" ref=${c} tabindex="-1">
    <div class="detail-close"><${ge} text=${location.href} what="link to this" /><${w} kind="ghost" icon="close" label="Close the detail" onClick=${a} /></div>
    ${n?i`<${Wf} key=${n} id=${n} execution=${e} onAction=${l} />`:r?i`<${il} key=${r} seq=${Number(r)} onAction=${l} />`:i`<${Kf} key=${o} execution=${e} status=${t} step=${s.find(d=>d.id===o)} onAction=${l} />`}
  </aside>`}function Wf({id:e,execution:t,onAction:n}){let{data:o,problem:r,reload:s}=D({by:[e],execution:t},$=>Promise.all([T(`/v1/actions/${encodeURIComponent(e)}`,{},{signal:$}),T("/v1/entries",{id:e,execution_id:t,limit:50},{signal:$})]));if(!o)return r?i`<${N} problem=${r} retry=${s} />`:i`<${F} />`;let[a,l]=o,{begin_body:c={},end_body:d={}}=a,u=$=>i`<button type="button" class="row-button mono" onClick=${()=>n($)}>${$}</button>`,p=d.before??c.before,f=l.entries.find($=>$.trace)?.trace;return i`<div class="detail-body">
    <${N} problem=${r} retry=${s} />
    <h2><${m} text=${c.summary||a.tool||a.id} /></h2>
    <p class="detail-tags"><${W} state=${a.state} /><${Xe} witness=${a.witness||"claimed"} />${a.kind==="undo"&&i`<${W} state="unwinding" word="undo" />`}</p>
    <${Ne}
      rows=${[["action",i`<${Ue} id=${a.id} />`],["tool",a.tool&&i`<code><${m} text=${a.tool} /></code>`],["step",a.step&&i`<a href=${x(location.pathname+location.search,{step:a.step,action:""})}><code><${m} text=${a.step} /></code></a>`],["by",a.actor&&i`<${m} text=${a.actor} />`],["attempt",(a.attempt||1)>1?String(a.attempt):""],["begun",i`<${I} at=${a.begun} />`],["took",a.ended?i`<${$t} from=${a.begun} to=${a.ended} />`:a.state==="in_doubt"?"no end is recorded":i`<${$t} from=${a.begun} />`],["effect",a.effect],["undo",a.undo_state&&i`<${W} state=${a.undo_state} quiet />`],["temporary",a.temporary&&"yes"],["recorded",a.after_the_fact&&"after the fact"],["permission",a.permission],["repeats",a.repeats&&i`${u(a.repeats)}, which was in doubt`],["repeated by",a.repeated_by?.length?u(a.repeated_by.at(-1)):""],["undoes",a.undoes&&u(a.undoes)],["undone by",a.undone_by&&u(a.undone_by)],["trace",f&&i`<code>${f}</code>`]]}
    />
    <${qn} action=${a.id} doubtful=${a.state==="in_doubt"} />
    <${me} title="Error">${d.error&&i`<${Yt} text=${d.error} />`}</${me}>
    <${me} title="Arguments">${"arguments"in c&&i`<${ae} value=${c.arguments} label="arguments" />`}</${me}>
    <${me} title="Result">${"result"in d&&i`<${ae} value=${d.result} label="result" />`}</${me}>
    <${me} title="Before and after">${p!==void 0&&d.after!==void 0&&i`<${qe} before=${p} after=${d.after} />`}</${me}>
    <${me} title="Before">${p!==void 0&&d.after===void 0&&i`<${ae} value=${p} label="before" />`}</${me}>
    <${me} title="After">${p===void 0&&d.after!==void 0&&i`<${ae} value=${d.after} label="after" />`}</${me}>
    <${me} title="Why it was repeated">${c.again&&i`<${m} text=${c.again} />`}</${me}>
    <${me} title="Evidence">${d.evidence&&i`<${m} text=${d.evidence} />`}</${me}>
    <${me} title="Outcome">${d.summary&&i`<${m} text=${d.summary} />`}</${me}>
    <${me} title="How to undo it">${c.undo&&i`<${ae} value=${c.undo} label="undo" />`}</${me}>
    <${al} entries=${l.entries} />
  </div>`}function Kf({execution:e,status:t,step:n,onAction:o}){let{data:r}=D({by:[e,n?.id],execution:e},a=>n?T(`/v1/executions/${encodeURIComponent(e)}/work`,{step:n.id,unfolded:!0},{signal:a}):Promise.resolve({rows:[]})),s=r?.rows||[];return n?i`<div class="detail-body">
    <h2><${m} text=${n.title||n.id} /></h2>
    <p class="detail-tags"><${W} state=${n.actual} /></p>
    <${Ne}
      rows=${[["step",i`<code>${n.id}</code>`],["tool",n.tool&&i`<code><${m} text=${n.tool} /></code>`],["after",n.after?.length&&i`<code>${n.after.join(", ")}</code>`],["can be undone",n.cancellable],["estimate",Number(n.estimate)?`${Number(n.estimate)} s`:""],["decided",n.decided]]}
    />
    <${rl} execution=${e} step=${n.id} failed=${n.actual==="failed"&&jn(t)} />
    <${me} title=${`Attempts (${s.length})`}>
      ${s.length?i`<ul class="plain-list">${s.map(a=>i`<li key=${a.id}><${W} state=${a.state} /><button type="button" class="row-button" onClick=${()=>o(a.id)}>${a.action_kind==="undo"?"undo":`attempt ${a.attempts||1}`}</button><span class="faint">${a.actor}</span><${I} at=${a.begun} /></li>`)}</ul>`:i`<p class="soft">No attempt yet.</p>`}
    </${me}>
  </div>`:i`<p class="soft">The current plan has no such step.</p>`}function me({title:e,children:t}){return t?i`<section class="part"><h3>${e}</h3>${t}</section>`:null}K();k();oe();te();j();function cl({execution:e,onAction:t}){let{data:n,problem:o,reload:r}=D({by:[e]},a=>T("/v1/in-doubt",{execution_id:e,limit:100},{signal:a})),s=Rn(n?.in_doubt??[]);return n?s.length?i`<div class="doubt-tab">
    <${N} problem=${o} retry=${r} />
    <p class="lead"><${S} name="in_doubt" /><span><strong>Actions with an unknown outcome. Do not repeat them.</strong> Check the real system, then record the outcome and your evidence.</span></p>
    ${s.map(a=>i`<${Vf} key=${a.action_id} item=${a} onAction=${t} />`)}
  </div>`:i`<${q} icon="completed" title="Nothing is in doubt.">Every action has a known outcome or is still in progress.</${q}>`:o?i`<${N} problem=${o} retry=${r} />`:i`<${F} />`}function Vf({item:e,onAction:t}){return i`<${R} class="doubt-item" title=${i`<${m} text=${e.summary||e.tool||e.action_id} />`} actions=${i`<${W} state="in_doubt" />`}>
    <p class="soft">Since <${I} at=${e.since} />: ${e.why}. ${e.kind==="undo"?"It is an undo. ":""}${e.tool&&i`<code><${m} text=${e.tool} /></code> `}<button type="button" class="row-button mono" onClick=${()=>t(e.action_id)}>${e.action_id}</button></p>
    ${e.arguments&&i`<${ae} value=${e.arguments} label="arguments" />`}
    <h3>How to check</h3>
    ${typeof e.probe=="string"?i`<p><${m} text=${e.probe} /></p>`:e.probe?.tool||e.probe?.words?i`${e.probe.words&&i`<p><${m} text=${e.probe.words} /></p>`}${e.probe.tool&&i`<p><code><${m} text=${e.probe.tool} /></code></p><${ae} value=${e.probe.arguments||{}} label="arguments of the probe" />`}`:i`<p>No probe is recorded. Look for traces of <code><${m} text=${e.tool||"the action"} /></code> in the real system.</p>`}
    <h3>What came of it</h3>
    <${qn} action=${e.action_id} doubtful=${!e.gone} />
  </${R}>`}K();k();oe();j();Fn();var Jf=[["html","HTML file","one file that opens without a server"],["jsonl","JSONL","one entry per line, for programs"],["csv","CSV","one entry per row, for a spreadsheet"],["markdown","Copy for a model","Markdown on the clipboard, values fenced as data"]];function dl({execution:e,end:t=!1}){let[n,o]=h(""),r=async s=>{o(s);try{let a=await T(`/v1/executions/${encodeURIComponent(e)}/report`,{form:s},{accept:"application/json"});s!=="markdown"?Je(a.name,a.text,a.media_type):await Vt(a.text)?$e("Copied as Markdown.","ok"):Je(a.name,a.text,a.media_type)}catch(a){$e(`The export failed: ${a.message}`,"failed")}o("")};return i`<${st} label="Export this execution" icon="export" word="Export" end=${t}>
    <div class="menu-list export-list">
      ${Jf.map(([s,a,l])=>i`<button key=${s} type="button" class="menu-item export-item" data-close disabled=${!!n} onClick=${()=>r(s)}>
        <${S} name=${s==="markdown"?"copy":"export"} /><span><strong>${a}</strong><span class="soft">${l}</span></span>
      </button>`)}
    </div>
  <//>`}k();oe();U();j();K();k();oe();te();U();j();function ul({row:e,query:t}){let n=t.get("only")||"",o=(e.total_steps||0)-(e.done_steps||0)-(e.skipped_steps||0),r=l=>x(`/x/${e.id}`,l),s=e.actions||{},a=[e.total_steps?["steps done",i`${e.done_steps||0}<small> of ${e.total_steps}</small>`,"ok",r({view:"plan"})]:["done",s.ok||0,"ok",r({only:"done"}),n==="done"],["failed",e.failed||0,"failed",r({only:"failed"}),n==="failed"],["in doubt",e.in_doubt||0,"doubt",r({tab:"doubt"})],["owed",e.owed||0,"undo",r({tab:"undo"})],["unplanned",e.unplanned||0,"idle",r({only:"unplanned"}),n==="unplanned"],["waiting",e.waiting||0,"waiting",x("/approvals",{execution:e.id})]];return e.total_steps&&a.splice(1,0,["steps left",o,"plain",r({view:"plan"})]),i`<ul class="tiles" aria-label="Figures">
    ${a.map(([l,c,d,u,p])=>i`<li key=${l}><a href=${u} aria-current=${p?"true":null} class=${ee("tile",`tone-${d}`,typeof c=="number"&&c>0&&d!=="plain"&&"tile-set")}><strong>${c}</strong><span>${l}</span></a></li>`)}
  </ul>`}function pl({row:e}){let t=e.failed>0&&e.status!=="completed",{data:n}=D({by:[e.id,t],execution:e.id,kinds:["action_ended","decision_recorded"]},r=>t?T(`/v1/executions/${encodeURIComponent(e.id)}/work`,{only:"failed",newest_first:!0,limit:1},{signal:r}):Promise.resolve({rows:[]})),o=t&&n?.rows[0];return o?i`<div class="x-failure"><${S} name="failed" /><p><button type="button" class="row-button" onClick=${()=>J({action:o.id,step:"",entry:""})}><${m} text=${o.summary||o.tool||o.id} /></button> failed${o.error?i`: <${m} text=${o.error.replace(/^failed: /,"")} />`:"."}</p></div>`:null}function fl({status:e,query:t,header_actions:n}){let o=e.execution;return i`<header class="x-head">
    <nav class="crumbs" aria-label="Breadcrumb"><a href=${x("/executions")}><${S} name="left" size=${12} />All executions</a></nav>
    <div class="x-title">
      <h1><${m} text=${o.title||o.id} /></h1>
      <${W} state=${o.interrupted?"interrupted":o.status} />
      <div class="x-actions">
        ${n&&i`<${n} status=${e} />`}
        <${ze} href=${x(`/replay/${o.id}`)} icon="replay">Replay</${ze}>
        <${ze} href=${x("/compare",{a:o.id})} icon="compare">Compare</${ze}>
        <${dl} execution=${o.id} end />
      </div>
    </div>
    <dl class="x-facts">
      <div><dt>execution</dt><dd><${Ue} id=${o.id} /></dd></div>
      ${o.plan_id&&i`<div><dt>plan</dt><dd><a href=${x(`/plans/${o.plan_id}`)}><code>${o.plan_id}</code></a> <span class="faint">revision ${o.revision}</span></dd></div>`}
      <div><dt>by</dt><dd><${m} text=${o.actor||"–"} />${o.client&&i` <span class="faint"><${m} text=${o.client} /></span>`}</dd></div>
      ${o.task_id&&i`<div><dt>task</dt><dd><a href=${x("/executions",{q:`task:${o.task_id}`})}><${m} text=${o.task_id} /></a></dd></div>`}
      <div class="x-more"><dt>started</dt><dd><${I} at=${o.started} /></dd></div>
      <div><dt>${o.ended||o.interrupted?"took":"for"}</dt><dd><${$t} from=${o.started} to=${o.ended||o.interrupted} /></dd></div>
      ${o.interrupted&&i`<div><dt>interrupted</dt><dd><${I} at=${o.interrupted} /> <span class="faint">while ${o.status}, last worked on by <${m} text=${o.interrupted_by||o.last_session} /></span></dd></div>`}
      ${!o.ended&&i`<div><dt>last entry</dt><dd><${I} at=${o.last} /></dd></div>`}
      <div class="x-more"><dt>record</dt><dd><${Yf} coverage=${e.coverage} id=${o.id} /></dd></div>
      ${o.total_steps?i`<div><dt>steps</dt><dd><${It} row=${o} steps=${e.steps.filter(r=>!r.dropped).map(r=>r.actual)} /> <span class="num">${rt(o)}</span></dd></div>`:null}
    </dl>
    <${pl} row=${o} />
    <${Xf} status=${e} />
    <${sl} execution=${o} />
    <${ul} row=${o} query=${t} />
  </header>`}function Yf({coverage:e,id:t}){if(!e)return"–";let n=e.observers?.length,o=e.observers?.some(r=>r.silent);return i`<a href=${x(`/x/${t}`,{tab:"coverage"})}>${e.ended||0} of ${e.begun||0} actions finished.</a>
    <span class="faint"> ${o?"Hooks are silent.":n?"Observed.":"Not observed by hooks."}</span>`}function Xf({status:e}){let t=e.last_decision,n=[...(e.advice||[]).map(o=>i`<span class="advice"><${S} name="warning" /><span><code><${m} text=${o.step} /></code> failed: <${m} text=${o.text} /></span></span>`),t?.decision&&i`<span class="advice"><${S} name="claimed" /><span>last decision <strong>${t.decision}</strong>${t.why&&i`: <${m} text=${t.why} />`}</span></span>`].filter(Boolean);return n.length?i`<div class="notices">${n}</div>`:null}k();U();He();We();k();oe();j();var Qf={failed:"undo failed",in_doubt:"undo in doubt"},zn=e=>e.kind==="group"?e.tool||e.actor||e.summary||e.id:e.summary||e.tool||e.id,Lt=e=>e.kind==="step"?e.action_id||"":e.kind==="group"?"":e.id,fr=e=>e.depth===0&&(e.kind==="group"||e.kind==="step"&&((e.attempts||0)>1||!!e.undone_by));function Zf(e){let t=Object.entries(e.states||{}).filter(([o])=>o!=="ok"),n=e.attempts||0;return[e.kind==="group"&&`${e.count} calls`,...t.map(([o,r])=>`${r} ${Ct(o).word}`),e.kind==="step"&&n>1&&`${n} attempts`,e.kind==="action"&&n>1&&`attempt ${n}`,e.unplanned&&"unplanned",e.dropped&&"dropped from the plan",e.late&&"recorded after the end",e.temporary&&"temporary",e.decided&&`decided: ${e.decided}`,e.kind==="step"&&e.cancellable==="irreversible"&&"irreversible",e.permission,e.silent].filter(Boolean)}function $r(e){let t=e.ended||e.lost;return e.begun&&t?pe(Date.parse(t)-Date.parse(e.begun)):!e.begun&&e.estimate?`about ${pe(e.estimate*1e3,1)}`:e.begun&&["open","running"].includes(e.state)?"under way":""}function $l({row:e,index:t,height:n,place:o,on:r,focusable:s,unfolded:a,loading:l,row_actions:c,onSelect:d,onToggle:u}){let{tone:p,icon:f,word:$}=Ct(e.state),g=Zf(e),b=e.kind==="group"&&!e.tool?"":e.actor;return i`<div class=${ee("work-row",`tone-${p}`,r&&"work-on",e.depth>0&&"work-inside",e.unplanned&&"work-unplanned",!e.begun&&"work-ahead")} role="row" aria-rowindex=${t+2} style=${{height:`${n}px`}} data-row=${e.key}>
    <div role="cell" class="work-what">
      ${fr(e)?i`<button type="button" class="work-fold" aria-expanded=${String(a)} aria-label=${`${a?"Fold":"Unfold"} ${_e(zn(e))}`} tabindex=${s?0:-1} onClick=${()=>u(e)}><${S} name=${a?"down":"right"} size=${12} /></button>`:i`<span class="work-fold" />`}
      <span class="work-icon"><${S} name=${e.action_kind==="undo"&&e.state==="ok"?"unwinding":f} /></span>
      <div class="work-text">
        <p class="work-title"><button type="button" class="row-button cut" data-focus tabindex=${s?0:-1} aria-pressed=${String(r)} onClick=${()=>d(e)}>${e.action_kind==="undo"?"undo: ":""}<${m} text=${zn(e)} /></button>${g.length>0&&i`<span class="work-notes">${g.join(" · ")}</span>`}</p>
        <p class="work-more cut">${e.error?i`<span class="work-error"><${m} text=${e.error} /></span>`:i`${e.tool&&e.tool!==zn(e)&&i`<code><${m} text=${e.tool} /></code>`}${b&&i`<span><${m} text=${b} /></span>`}${l&&i`<span>loading…</span>`}`}</p>
      </div>
    </div>
    <div role="cell" class="work-state"><span>${$}</span>${e.undo_state&&!["not_undone",e.state].includes(e.undo_state)&&i`<${W} state=${e.undo_state} quiet word=${Qf[e.undo_state]||""} />`}</div>
    <div role="cell" class="work-actions">${c&&i`<${c} row=${e} />`}</div>
    <div role="cell" class="work-took num">${$r(e)}</div>
    <div role="cell" class="work-chart">${o&&i`<${e$} row=${e} place=${o} />`}</div>
  </div>`}function e$({row:e,place:t}){let n=ee("work-bar",`bar-${e.state}`,e.action_kind==="undo"&&"bar-undo",e.kind==="group"&&"bar-group",t.open&&"bar-open");return i`<span class=${n} aria-hidden="true" style=${{left:`${t.left*100}%`,width:`${t.width*100}%`}} />`}var t$=["not_undone","partly","failed","may_be_undo"],Ao=(e,t)=>({row:n})=>n.kind==="group"?null:n.state==="in_doubt"?i`<${Io} row=${n} word="Settle" to=${{action:Lt(n)}} />`:n.undo_state==="in_doubt"?i`<${Io} row=${n} word="Settle the undo" to=${{tab:"doubt"}} />`:e&&t$.includes(n.undo_state||"")?i`<${Io} row=${n} word="Undo or keep" to=${{tab:"undo"}} />`:t&&n.kind==="step"&&n.state==="failed"?i`<${Io} row=${n} word="Retry" to=${{step:n.id}} />`:null,n$=[Ao(!1,!1),Ao(!1,!0),Ao(!0,!1),Ao(!0,!0)],ml=({status:e,owed:t})=>n$[(t?2:0)+Number(jn(e))];function Io({row:e,word:t,to:n}){let o=()=>J({action:"",step:"",entry:"",...n});return i`<${w} aria-label=${`${t}: ${_e(zn(e))}`} onClick=${o}>${t}<//>`}K();k();te();j();k();oe();j();var o$={known:"",unknown:"No undo is recorded. Check what it did, and decide.",erased:"The text of the undo was erased.",altered:"The stored text of the undo was altered and is not shown.",irreversible:"It is recorded as irreversible."};function hl({items:e,lead:t,more:n=!1,rest:o,empty:r,onAction:s,actsOf:a}){return i`<div class="owed-tab">
    <p class="lead"><${S} name="owed" /><span><strong>${t}</strong>${e.length>0&&i` Undo from top to bottom. This page undoes nothing: you, an agent or a runner undoes an action, and records that with <code>kind=undo</code>.`}</span></p>
    ${e.length?i`<ol class="owed-list">${e.map(l=>i`<${s$} key=${l.action_id} item=${l} onAction=${s} acts=${a?.(l)} />`)}</ol>
          ${n&&i`<p class="soft">These are the first ${e.length}. The rest: <code>${o}</code></p>`}`:i`<${q} icon="completed" title=${r}>Every action is undone or kept.</${q}>`}
  </div>`}function s$({item:e,onAction:t,acts:n}){let o=o$[e.way]??e.way;return i`<li class="owed-item">
    <div class="owed-what">
      <p><button type="button" class="row-button" onClick=${()=>t(e.action_id)}><${m} text=${e.summary||e.tool||e.action_id} /></button>
        <span class="faint"> ${e.tool&&i`<code><${m} text=${e.tool} /></code> `}${e.step&&i`step <code><${m} text=${e.step} /></code>`}</span></p>
      <p class="detail-tags"><${W} state=${e.state} word=${e.state==="failed"?"undo failed":""} />${e.temporary&&i`<span class="maybe"><${S} name="late" size=${14} />temporary</span>`}${e.certain===!1&&i`<span class="maybe"><${S} name="in_doubt" size=${14} />may have happened</span>`}<${r$} at=${e.deadline} /></p>
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
  </li>`}function r$({at:e}){let t=Date.parse(e)-we();return e?t<0?i`<span class="warn">undo was possible until <${I} at=${e} /></span>`:i`<span class="faint" title=${e}>can be undone for ${pe(t)} more</span>`:null}var i$=100,gl=e=>Date.parse(e.deadline)>Date.now();function a$(e){if(e.owed==="nothing")return`Nothing of this is owed.${e.items.some(gl)?" Some of it can be undone only for a while: undo or keep it in time.":""}`;let t=`${e.more_due?"More than ":""}${e.due} of this ${e.due===1?"is":"are"}`;return`${e.owed==="all"?"All of this is":t} owed: somebody still has to undo it.`}function bl({execution:e,onAction:t}){let{data:n,problem:o,reload:r}=D({by:[e],execution:e},a=>T(`/v1/executions/${encodeURIComponent(e)}/undo-list`,{limit:i$},{signal:a})),s=Rn(n?.items??[]);return n?i`<${N} problem=${o} retry=${r} />
    <${hl} items=${s} lead=${a$(n)} more=${!!n.next_cursor} rest=${`tallystick undo-list ${e}`} empty="The undo list is empty." onAction=${t}
    actsOf=${a=>i`<${ol} item=${a} offered=${n.owed!=="nothing"||gl(a)} onDone=${r} />`} />`:o?i`<${N} problem=${o} retry=${r} />`:i`<${F} />`}K();k();Ae();te();U();j();k();mr();j();k();var l$=5,_l=.01;function wl(e){let[t,n]=h(null),o={from:-_l*e,to:(1+_l)*e},r=t||o,s=xe(c=>{let d=Math.max(l$,c.to-c.from);if(d>=o.to-o.from)return n(null);let u=Math.min(Math.max(c.from,o.from),o.to-d);return n({from:u,to:u+d})},[e]);return{view:r,zoomed:t!==null,zoom:(c,d=.5)=>{let u=(r.to-r.from)*c,p=r.from+d*(r.to-r.from);s({from:p-d*u,to:p+(1-d)*u})},pan:c=>{let d=c*(r.to-r.from);s({from:r.from+d,to:r.to+d})},show:s,fit:()=>n(null)}}function Hn(){let e=C(null),[t,n]=h(0);return ke(()=>{let o=e.current,r=()=>n(Math.floor(o.getBoundingClientRect().width)),s=new ResizeObserver(r);return s.observe(o),r(),()=>s.disconnect()},[]),[e,t]}function vl(e,t){let n=C(t);n.current=t,_(()=>{let o=e.current,r=new Map,s=u=>{let{left:p,width:f}=o.getBoundingClientRect();return(u-p)/f},a=u=>{let p=Math.abs(u.deltaX)>Math.abs(u.deltaY)?u.deltaX:u.shiftKey?u.deltaY:0;if(u.ctrlKey||u.metaKey)n.current.zoom(Math.exp(u.deltaY/300),s(u.clientX));else if(p)n.current.pan(p/800);else return;u.preventDefault()},l=u=>{u.button===0&&r.set(u.pointerId,u.clientX)},c=u=>{let p=r.get(u.pointerId);if(p===void 0)return;let f=[...r].filter(([$])=>$!==u.pointerId).map(([,$])=>$);if(f.length){let $=Math.abs(p-f[0])/Math.max(8,Math.abs(u.clientX-f[0]));n.current.zoom(Math.min(2,Math.max(.5,$)),s((u.clientX+f[0])/2))}else if(Math.abs(u.clientX-p)>2)o.setPointerCapture(u.pointerId),n.current.pan((p-u.clientX)/o.getBoundingClientRect().width);else return;r.set(u.pointerId,u.clientX)},d=u=>{r.delete(u.pointerId)};o.addEventListener("wheel",a,{passive:!1}),o.addEventListener("pointerdown",l),o.addEventListener("pointermove",c);for(let u of["pointerup","pointercancel"])o.addEventListener(u,d);return()=>{o.removeEventListener("wheel",a),o.removeEventListener("pointerdown",l),o.removeEventListener("pointermove",c);for(let u of["pointerup","pointercancel"])o.removeEventListener(u,d)}},[])}var bt=216,Rt=46,kl=27,Sl=400,Tl=.7;function Ml({work:e,selected:t,onStep:n}){let[o,r]=Hn(),[s,a]=h(0),l=e.rows.filter(v=>v.kind==="step"&&v.depth===0),c=e.complete||e.rows.length>l.length,d=l.length>Sl;_(()=>{!c&&!d&&!e.problem&&e.more()});let u=d||!c?"":l.map(v=>`${v.id} ${(v.after||[]).join()}`).join("|"),p=Oo(yl),f=le(()=>p&&u&&r?d$(p,l,r):null,[p,u,r]),$=f?Math.min(1,Math.max(Tl,r/f.width)):1,g=s||$,b=le(()=>u$(l),[u,e.rows]),M=new Map(l.map(v=>[v.id,v]));return i`<div class="graph-view" ref=${o}>
    ${d?i`<${q} icon="graph" title=${`The plan has more than ${Sl} steps.`}>They are listed under Plan.</${q}>`:f?i`
    <div class="graph-tools"><span class="soft">${b.size>1?i`<span class="critical-key" aria-hidden="true" /> critical path`:null}</span>
      <span class="work-zoom"><${w} kind="ghost" icon="zoomout" label="Zoom out" onClick=${()=>a(Math.max(.25,g/1.3))} /><${w} kind="ghost" icon="zoomin" label="Zoom in" onClick=${()=>a(Math.min(2.5,g*1.3))} /><${w} kind="ghost" icon="fit" label="Fit" onClick=${()=>a(0)} disabled=${!s} /></span></div>
    <div class="graph" tabindex="0" role="region" aria-label="Graph of the plan">
      <svg width=${Math.ceil(f.width*g)} height=${Math.ceil(f.height*g)} viewBox=${`0 0 ${f.width} ${f.height}`} role="group" aria-label="Steps and what each comes after">
        <defs>
          <marker id="arrow" viewBox="0 0 8 8" refX="7" refY="4" markerUnits="userSpaceOnUse" markerWidth="9" markerHeight="9" orient="auto"><path class="edge-tip" d="M0 0L8 4 0 8z" /></marker>
        </defs>
        ${f.edges.map(v=>i`<path class=${ee("edge",b.has(v.from)&&b.get(v.from)===v.to&&"edge-critical")} d=${v.path} marker-end="url(#arrow)" />`)}
        ${f.nodes.map(({id:v,x:y,y:A})=>M.has(v)&&i`<${c$} key=${v} step=${M.get(v)} x=${y} y=${A} on=${t===v} critical=${b.has(v)} onStep=${n} />`)}
      </svg>
    </div>`:!c||u?i`<${F} what="Loading the steps" />`:i`<${q} icon="graph" title="Ad hoc: there is no plan to draw." />`}
  </div>`}function c$({step:e,x:t,y:n,on:o,critical:r,onStep:s}){let{tone:a,word:l}=Ct(e.state),c=_e(e.summary||e.id),d=c.length>kl?`${c.slice(0,kl-1).trimEnd()}…`:c,u=e.attempts||0,p=[l,$r(e),u>1&&`${u} attempts`,e.cancellable==="irreversible"&&"irreversible"].filter(Boolean).join(", "),f=()=>s(e.id);return i`<g class=${ee("node",`tone-${a}`,e.state==="in_doubt"&&"node-doubt",e.state==="planned"&&"node-planned",o&&"node-on",r&&"node-critical")} role="button" tabindex="0" aria-label=${`${d} ${p}${r?", on the critical path":""}`} aria-pressed=${String(o)} onClick=${f} onKeyDown=${$=>($.key==="Enter"||$.key===" ")&&($.preventDefault(),f())}>
    <title>${c}</title>
    <rect x=${t-bt/2} y=${n-Rt/2} width=${bt} height=${Rt} rx="3" />
    <rect class="node-edge" x=${t-bt/2} y=${n-Rt/2} width="4" height=${Rt} rx="1" />
    <text class="node-title" x=${t-bt/2+14} y=${n-3}>${d}${" "}</text>
    <text class="node-state" x=${t-bt/2+14} y=${n+13}>${p}</text>
  </g>`}function d$(e,t,n){let o=El(e,t,!0);return n/o.width>=Tl?o:El(e,t,!1)}function El({Graph:e,layout:t},n,o){let r=new e;r.setGraph({rankdir:o?"LR":"TB",nodesep:18,ranksep:o?44:28,marginx:16,marginy:16}),r.setDefaultEdgeLabel(()=>({}));for(let l of n)r.setNode(l.id,{width:bt,height:Rt});for(let[l,c]of Cl(n))r.hasNode(l)&&r.setEdge(l,c);t(r);let{width:s=0,height:a=0}=r.graph();return{width:Math.ceil(s),height:Math.ceil(a),nodes:r.nodes().map(l=>({id:l,...r.node(l)})),edges:r.edges().map(l=>({from:l.v,to:l.w,path:f$(r.node(l.v),r.node(l.w),r.edge(l).points.slice(1,-1),o)}))}}function Cl(e){return e.some(t=>t.after?.length)?e.flatMap(t=>(t.after||[]).map(n=>[n,t.id])):e.slice(1).map((t,n)=>[e[n].id,t.id])}function u$(e){let t=new Map;for(let[d,u]of Cl(e))t.set(u,[...t.get(u)||[],d]);let n=new Map(e.map(d=>[d.id,d])),o=new Map,r=new Set,s=d=>{if(o.has(d)||r.has(d))return;r.add(d);let u=(t.get(d)||[]).filter(f=>n.has(f));u.forEach(s);let p=u.reduce((f,$)=>(o.get($)?.length??0)>(o.get(f)?.length??-1)?$:f,"");o.set(d,{length:p$(n.get(d))+(o.get(p)?.length??0),from:p})};e.forEach(d=>s(d.id));let[a,l]=[...o].reduce((d,u)=>u[1].length>d[1].length?u:d,["",{length:0,from:""}]),c=new Map;for(let d=a,u="",p=l.from;d;[u,d,p]=[d,p,o.get(p)?.from??""])c.set(d,u);return c}function p$(e){return e.begun&&e.ended?Math.max(0,Date.parse(e.ended)-Date.parse(e.begun))/1e3:Number(e.estimate)||0}function f$(e,t,n,o){let[r,s]=o?[bt/2,0]:[0,Rt/2],a={x:e.x+r,y:e.y+s},l={x:t.x-r,y:t.y-s},c=o?l.x-a.x>bt:l.y-a.y>Rt,d=[a,...c?n:[],l];return d.slice(1).reduce((u,p,f)=>{let $=d[f],[g,b]=o?[(p.x-$.x)/2,0]:[0,(p.y-$.y)/2];return`${u}C${$.x+g} ${$.y+b} ${p.x-g} ${p.y-b} ${p.x} ${p.y}`},`M${a.x} ${a.y}`)}k();var $$=200,m$=1e3,Al=500;function Il({order:e,only:t}){return t?{only:t}:e==="newest"?{newest_first:!0}:{order:e}}function Nl({read:e,wanted:t,by:n,version:o}){let[,r]=Ft(v=>v+1,0),s=C(Ol()).current,a=C({read:e,wanted:t});a.current={read:e,wanted:t};let l=async v=>{let{turn:y}=s;try{await v(y),y===s.turn&&(s.problem=null)}catch(A){y===s.turn&&(s.problem=A)}y===s.turn&&r(0)},c=async(v,y)=>{let A=y?s.pages[y-1].next:"",O=y?m$:$$,P=await a.current.read({...Il(a.current.wanted),limit:O,cursor:A});if(v!==s.turn)return;let Z=s.pages[y];s.pages[y]={cursor:A,next:P.next_cursor||"",rows:P.rows,stale:!1},Z&&Z.next!==s.pages[y].next&&(s.pages.length=y+1),s.version+=1,s.complete=!s.pages[s.pages.length-1].next},d=async(v,y)=>{let A=y.kind==="group"?{...Il(a.current.wanted),cursor:y.inside,limit:Math.min(y.count||1,Al)}:{step:y.id,limit:Al},O=await a.current.read({...A,unfolded:!0});v===s.turn&&s.open.has(y.key)&&s.open.set(y.key,O.rows),s.version+=1},u=xe(()=>{s.loading||s.complete||!s.pages.length||(s.loading=!0,l(v=>c(v,s.pages.length)).finally(()=>{s.loading=!1,r(0)}))},[]),p=xe(()=>{if(s.loading)return void(s.due=!0);s.loading=!0;let[v,y]=s.view;l(async A=>{let O=s.pages.map((P,Z)=>Z).filter(P=>P===0||P>=v&&P<=y||P===s.pages.length-1);for(let P of s.pages)P.stale=!0;for(let P of O)(s.pages[P]||!P)&&await c(A,P);s.pages.length||await c(A,0);for(let P of s.opened.values())await d(A,P)}).finally(()=>{s.loading=!1,s.due&&(s.due=!1,p()),r(0)})},[]),f=xe((v,y)=>{s.view=[v,y],!s.loading&&s.pages.slice(v,y+1).some(A=>A.stale)&&p()},[]),$=xe(v=>{s.open.delete(v.key)?s.opened.delete(v.key):(s.open.set(v.key,null),s.opened.set(v.key,v),l(y=>d(y,v))),s.version+=1,r(0)},[]);_(()=>(Object.assign(s,Ol()),r(0),p(),()=>{s.turn={}}),[n,t.order,t.only]);let g=C(o);_(()=>{g.current!==o&&(g.current=o,p())},[o]);let{rows:b,pageOf:M}=le(()=>h$(s),[s.version,s.turn]);return{rows:b,pageOf:M,complete:s.complete,started:s.pages.length>0,problem:s.problem,open:s.open,more:u,see:f,toggle:$,retry:p}}var Ol=()=>({turn:{},pages:[],open:new Map,opened:new Map,view:[0,0],loading:!1,due:!1,complete:!1,version:0,problem:null});function h$({pages:e,open:t}){let n=[],o=[],r=(s,a)=>(n.push(s),o.push(a));return e.forEach((s,a)=>{for(let l of s.rows){let c={...l,key:`${l.kind} ${l.id}`,depth:0},d=n[n.length-1];if(d&&g$(d,c)){n[n.length-1]=b$(d,c);continue}r(c,a);for(let u of t.get(c.key)||[])r({...u,key:`${c.key} ${u.id}`,depth:1},a)}}),{rows:n,pageOf:o}}function g$(e,t){return e.kind==="group"&&t.kind==="group"&&e.depth===0&&e.tool===t.tool&&e.step===t.step&&e.actor===t.actor&&!!(e.tool||e.actor_kind==="sub-agent")}function b$(e,t){let n={...e.states};for(let[r,s]of Object.entries(t.states||{}))n[r]=(n[r]||0)+s;let o=n.failed?"failed":e.state;return{...e,state:o,states:n,count:(e.count||0)+(t.count||0),ended:t.ended||e.ended,error:e.error||t.error}}k();et();j();var hr=[1,2,5,10,20,50,100,200,500,1e3,2e3,5e3,1e4,15e3,3e4,6e4,12e4,3e5,6e5,9e5,18e5,36e5,72e5,144e5,216e5,432e5,864e5,1728e5,6048e5];function Ll(e){let t=y$(e);if(!t.length)return[{from:0,to:1e3,at:0,size:1e3,gap:!1}];let n=t.reduce((d,u)=>d+u.to-u.from,0),o=Math.max(3e4,.06*n),r=Math.max(.03*n,2e3),s=[],a=0,l=(d,u,p)=>{let f=p?r:u-d;s.push({from:d,to:u,at:a,size:f,gap:p}),a+=f},c=t[0].from;return t.forEach((d,u)=>{let p=t[u+1];p&&p.from-d.to<=o||(l(c,Math.max(d.to,c+1),!1),p&&(l(d.to,p.from,!0),c=p.from))}),s}function y$(e){let t=[...e].sort((o,r)=>o.from-r.from),n=[];for(let o of t){let r=n[n.length-1];r&&o.from<=r.to?r.to=Math.max(r.to,o.to):n.push({...o})}return n}function No(e,t){let n=0,o=e.length-1;for(;n<o;){let a=n+o+1>>1;e[a].from<=t?n=a:o=a-1}let r=e[n],s=(t-r.from)/Math.max(1,r.to-r.from);return r.at+Math.max(0,Math.min(1,s))*r.size}var Rl=e=>e[e.length-1].at+e[e.length-1].size;function Dl(e,t,n,o,r){let s=1/Math.max(1e-9,t(1)-t(0)),a=hr.find(c=>c>=o*s)||hr[hr.length-1],l=[];for(let c of e){if(c.gap||c.at>n.to||c.at+c.size<n.from)continue;let d=Math.max(c.from,c.from+(n.from-c.at)),u=Math.min(c.to,c.from+(n.to-c.at));for(let p=Math.ceil((d+r)/a)*a-r;p<=u;p+=a)l.push({time:p,x:t(c.at+p-c.from)})}return{step:a,marks:l}}var jl=44,x$=60,_$=620,Pl=5e3,w$=2e4,v$=20,k$=84;function ql({work:e,execution:t,selected:n="",row_actions:o,onSelect:r,empty:s}){let{rows:a,complete:l,open:c}=e,[d,u]=Hn(),p=u>0&&u<_$,f=(p?x$:jl)+(be("density")==="comfortable"?8:0),{scale:$,edge:g}=S$(a,t,l),b=wl(Rl($)),{view:M}=b,[v,y]=h(0),A=C([0,0]),O=C(null),P=B=>(No($,B)-M.from)/(M.to-M.from),Z=B=>E$(B,P,g),L=xe((B,ye)=>{A.current=[B,ye],e.see(e.pageOf[B]??0,e.pageOf[Math.min(ye,e.pageOf.length)-1]??0)},[e.pageOf]);_(()=>{e.started&&!e.problem&&A.current[1]>=a.length-v$&&e.more()});let z=()=>{let B=a.slice(...A.current).filter(ve=>ve.begun);if(!B.length)return;let ye=Math.min(...B.map(ve=>No($,Date.parse(ve.begun)))),Ye=Math.max(...B.map(ve=>No($,gr(ve,g))));b.show({from:ye-(Ye-ye)*.02,to:Ye+(Ye-ye)*.02})},H=C$(d,a,y,e.toggle,{zoom:b,fitRows:z}),V=B=>B.kind==="group"?e.toggle(B):r(B),Y=Math.min(v,a.length-1),re=a.findIndex(B=>n&&(Lt(B)===n||B.kind==="step"&&B.id===n));return _(()=>{re>=0&&y(re)},[re]),i`<div class=${ee("waterfall",p&&"waterfall-narrow",o&&"waterfall-acting")} ref=${d} data-testid="waterfall" onKeyDown=${H}>
    <${N} problem=${e.problem} retry=${e.retry} />
    ${e.started?!a.length&&l?s||i`<${q} icon="timeline" title="No actions yet.">Actions appear here as soon as they begin.</${q}>`:i`
      <${Ot}
        label="Steps and actions"
        outer="table"
        role="rowgroup"
        rows=${a}
        height=${f}
        selected=${re}
        onRange=${L}
        head=${i`<div class="work-head" role="rowgroup"><div class="work-row work-head-row" role="row">
          <span role="columnheader" class="work-what">what</span><span role="columnheader" class="work-state">state</span><span role="columnheader" class="work-actions"><span class="visually-hidden">what to do</span></span><span role="columnheader" class="work-took">took</span>
          <div role="columnheader" class="work-chart" ref=${O}><span class="visually-hidden">when</span><${T$} scale=${$} view=${M} share=${P} zoom=${b} /></div>
        </div></div>`}
        row=${(B,ye)=>i`<${$l} key=${B.key} row=${B} index=${ye} height=${f} place=${Z(B)} on=${ye===re} focusable=${ye===Y} unfolded=${c.has(B.key)} loading=${c.get(B.key)===null} row_actions=${o} onSelect=${V} onToggle=${e.toggle} />`}
      />
      <div class="work-foot">
        <span class="soft" role="status">${a.length}${l?"":"+"} row${a.length===1?"":"s"}</span>
        <span class="work-zoom">
          <${w} kind="ghost" icon="table" label="Zoom to the rows in view" onClick=${z} />
          <${w} kind="ghost" icon="zoomout" label="Zoom out" onClick=${()=>b.zoom(1.6)} disabled=${!b.zoomed} />
          <${w} kind="ghost" icon="zoomin" label="Zoom in" onClick=${()=>b.zoom(.6)} />
          <${w} kind="ghost" icon="fit" label="Show all" onClick=${b.fit} disabled=${!b.zoomed} />
        </span>
      </div>`:i`<${F} what="Loading" />`}
  </div>`}function S$(e,t,n){let o=we(),r=Date.parse(t.interrupted||t.last||t.started)||o,a=!t.ended&&!t.interrupted?Math.min(Math.max(r,Math.ceil(o/Pl)*Pl),r+w$):r;return{scale:le(()=>{let c=e.filter(p=>p.begun).map(p=>({from:Date.parse(p.begun),to:gr(p,a)})),d=Math.max(a,...c.map(p=>p.to).slice(-1)),u=n||!c.length?d:c[c.length-1].to;return Ll([...c,{from:Math.min(u,d),to:d}])},[e,a,n]),edge:a}}function gr(e,t){let n=Date.parse(e.begun),o=e.ended||e.lost;return Math.max(n,o?Date.parse(o):t)}function E$(e,t,n){if(!e.begun)return null;let o=t(Date.parse(e.begun)),r=t(gr(e,n));if(r<0||o>1)return null;let s=Math.max(0,Math.min(o,1));return{left:s,width:Math.max(0,Math.min(r,1)-s),open:!e.ended&&!e.lost}}function T$({scale:e,view:t,share:n,zoom:o}){let[r,s]=Hn();vl(r,o);let l=be("zone")==="utc"?0:-new Date().getTimezoneOffset()*6e4,c=p=>(p-t.from)/(t.to-t.from)*s,{step:d,marks:u}=s?Dl(e,c,t,k$,l):{step:0,marks:[]};return i`<div class="work-axis" ref=${r} aria-hidden="true" title="Drag to move, Ctrl and wheel to zoom">
    ${e.filter(p=>p.gap&&p.at+p.size>t.from&&p.at<t.to).map(p=>{let f=pe(p.to-p.from,1);return i`<span class="work-gap" title=${`${f} without entries`} style=${{left:`${c(p.at)}px`,width:`${c(p.at+p.size)-c(p.at)}px`}}><span>${f}</span></span>`})}
    ${u.map(({time:p,x:f})=>i`<span class="work-tick" style=${{left:`${Math.round(f)}px`}}>${M$(p,d)}</span>`)}
  </div>`}function M$(e,t){let n={hour:"2-digit",minute:"2-digit"};return t<6e4&&(n.second="2-digit"),t<1e3&&(n.fractionalSecondDigits=3),t>=432e5&&Object.assign(n,{day:"numeric",month:"short"}),new Date(e).toLocaleTimeString("en-GB",{...n,timeZone:vo("zone")==="utc"?"UTC":void 0})}function C$(e,t,n,o,{zoom:r,fitRows:s}){let a=C("");return ke(()=>{if(!a.current)return;let l=e.current?.querySelector(`[data-row="${CSS.escape(a.current)}"] [data-focus]`);l&&(a.current="",l.focus({preventScroll:!0}),l.scrollIntoView({block:"nearest"}))}),l=>{let c=l.target;if(!c.matches("[data-focus], .work-fold, .virtual"))return;let d=t.findIndex(M=>M.key===c.closest("[data-row]")?.getAttribute("data-row")),u=M=>{let v=Math.min(Math.max(M,0),t.length-1),y=e.current.querySelector(".virtual"),A=y.querySelector("[data-row]")?.offsetHeight||jl,O=y.clientHeight-A;v*A<y.scrollTop?y.scrollTop=v*A:v*A>y.scrollTop+O-A&&(y.scrollTop=v*A-O+A),a.current=t[v]?.key||"",n(v)},p=t[d],f=p&&fr(p),$=c.closest("[data-row]")?.querySelector("[aria-expanded]")?.getAttribute("aria-expanded")==="true",b={ArrowDown:()=>u(d+1),ArrowUp:()=>u(d-1),Home:()=>u(0),End:()=>u(t.length-1),"+":()=>r.zoom(.6),"-":()=>r.zoom(1.6),0:r.fit,z:s,...f&&!$&&{ArrowRight:()=>o(p)},...f&&$&&{ArrowLeft:()=>o(p)}}[l.key];!b||l.ctrlKey||l.metaKey||l.altKey||(b(),l.preventDefault(),l.stopPropagation())}}var A$=80,I$=["session_ended","body_erased"],O$={done:"done",failed:"failed",in_doubt:"in doubt",unplanned:"unplanned",open:"under way"};function Bl({status:e,query:t,chosen:n,select:o,row_actions:r}){let{execution:s}=e,a=!!s.plan_id,l=t.get("view")||(a?"plan":"time"),c=t.get("only")||"",d=xe(b=>T(`/v1/executions/${encodeURIComponent(s.id)}/work`,b),[s.id]),p=Nl({read:d,wanted:{order:l==="graph"?"plan":l,only:c},by:s.id,version:N$(s.id)}),f=async()=>{let{rows:b}=await d({only:"failed",limit:1});b.length&&o({action:b[0].id})};fe("Work",{e:{label:"go to the first failure",run:()=>{f()}}});let $=[["plan","Plan"],["time","Time"],["newest","Newest first"],["graph","Graph"]],g=O$[c];return i`<section class="panel panel-flush work-panel" aria-label="Work">
    <div class="work-tools">
      <${ie} label="View" value=${c?"":l} choices=${a?$:$.slice(1,3)} onChange=${b=>J({view:b,only:""})} />
      ${s.failed>0&&i`<${w} icon="first" onClick=${f}>First failure</${w}>`}
      ${g&&i`<${w} icon="close" onClick=${()=>J({only:""})}>Only ${g}</${w}>`}
    </div>
    ${l==="graph"&&!c?i`<${Ml} work=${p} selected=${n.step} onStep=${b=>o({step:b})} />`:i`<${ql}
          work=${p}
          execution=${s}
          selected=${n.action||n.step}
          row_actions=${r}
          onSelect=${b=>o(Lt(b)?{action:Lt(b)}:{step:b.id})}
          empty=${g&&i`<${q} title=${`No actions are ${g}.`} />`}
        />`}
  </section>`}function N$(e){let[t,n]=h(0),o=C(0);return Re(r=>{r&&r.execution_id!==e&&!I$.includes(r.kind)||(o.current||=setTimeout(()=>(o.current=0,n(s=>s+1)),A$))}),t}k();br();k();oe();Ae();et();j();K();k();te();var Ul=100,Wl=1e3,Kl=6e4,j$=240,q$=40,B$=300;function Vl(e){let[t,n]=h({entries:[],complete:!1,problem:null}),[o,r]=h(0),s=C({entries:[],last:0,busy:!1,due:!1,stop:!1,timer:0}),a=async l=>{let c=s.current;if(c.busy){c.due=!0;return}c.busy=!0;let d=performance.now(),u=p=>{d=performance.now(),n({entries:c.entries,complete:p,problem:null})};try{let p=!0;do{c.due=!1;let f=await T("/v1/entries",{execution_id:e,after:c.last,limit:c.last?Wl:Ul});if(c.stop)return;f.entries.length&&(c.entries=c.entries.concat(f.entries.map(F$))),c.last=f.entries.length?f.entries[f.entries.length-1].seq:c.last,!f.entries.length&&f.more&&(c.last=f.last_seq),p=f.more,(c.entries.length<=Ul||performance.now()-d>B$)&&u(!p)}while(p&&c.entries.length<l||c.due);u(!p)}catch(p){c.stop||n(f=>({...f,problem:p}))}finally{c.busy=!1}};return _(()=>{s.current={entries:[],last:0,busy:!1,due:!1,stop:!1,timer:0};let l=s.current;return a(Kl),()=>{l.stop=!0,clearTimeout(l.timer)}},[e,o]),Re(l=>{if(l?.kind==="body_erased"&&r(d=>d+1),l&&l.execution_id!==e)return;let c=s.current;clearTimeout(c.timer),c.timer=setTimeout(()=>a(Kl),q$)}),{...t,more:()=>{!t.complete&&a(s.current.entries.length+Wl)}}}function F$(e){let{facts:t={},body:n}=e,o=n&&typeof n=="object"?n:{},r=t.channel==="client"?"in a client that could have answered by itself ":"",s=o.error||o.summary||o.title||o.why||o.question||o.reason||o.answer||t.key||t.event||t.reason||t.problem||"";return{seq:e.seq,kind:e.kind,at:e.at,id:e.id,actor:t.credential||e.actor,witness:e.witness,word:t.decision||t.verdict||t.status||t.event||"",tool:t.tool||"",text:`${r}${s}`.slice(0,j$),outcome:t.outcome||(e.kind==="action_doubted"?"in_doubt":""),undo:t.action_kind==="undo",behind:e.behind||0}}var z$={ok:"ok",failed:"failed",skipped:"skipped",unknown:"in_doubt",in_doubt:"in_doubt"},H$=new Set(["failed","in_doubt"]),Lo=class e{constructor(t){this.paired=t,this.first=void 0,this.all=[],this.indexBySeq=new Map,this.taken=0,this.begun=new Map}take(t){for(t[0]!==this.first&&Object.assign(this,new e(this.paired),{first:t[0]});this.taken<t.length;this.taken++)this.add(t[this.taken]);return this.all}add(t){let o=this.paired&&(t.kind==="action_ended"||t.kind==="action_doubted")?this.begun.get(t.id):void 0;if(o!==void 0){this.all[o]={...this.all[o],end:t,state:Gl(t)},this.indexBySeq.set(t.seq,o);return}this.paired&&t.kind==="action_begun"&&this.begun.set(t.id,this.all.length),this.indexBySeq.set(t.seq,this.all.length),this.all.push({entry:t,end:null,state:Gl(t)})}};function Un(e,t){return(e.end||e.entry.kind==="action_begun")&&t.get(e.entry.id)||e.state}function Gl(e){return z$[e.outcome]||""}var Jl=(e,t)=>H$.has(Un(e,t))||e.entry.kind==="decision_recorded";function Yl(e){let t=new Map;return e.forEach((n,o)=>{t.set(n.entry.seq,o),n.end&&t.set(n.end.seq,o)}),t}K();k();var U$=/[\p{L}\p{N}]/u,W$=5e3;function Xl(e,t,n){let[o,r]=h({seqs:[],done:!0,more:!1,problem:null});return _(()=>{let s=new AbortController,a=async()=>{let l=[],c=0,d=!0;for(;d&&l.length<W$;){let u=await T("/v1/entries",{execution_id:e,text:t,after:c,limit:1e3},{signal:s.signal});if(l=l.concat(u.entries.map(p=>p.seq)),u.last_seq<=c)break;c=u.last_seq,d=u.more}r({seqs:l,done:!0,more:d,problem:null})};return U$.test(t)?(r(l=>({...l,done:!1})),a().catch(l=>l.name!=="AbortError"&&r({seqs:[],done:!0,more:!1,problem:l}))):r({seqs:[],done:!0,more:!1,problem:null}),()=>s.abort()},[e,t,n]),o}function Ql(e,t){let n=t.split(/\s+/).map(r=>r.replace(/[^\p{L}\p{N}_-]/gu,"")).filter(r=>r.length>1);if(!n.length)return[{text:e,hit:!1}];let o=new RegExp(`(${n.join("|")})`,"giu");return e.split(o).filter(Boolean).map(r=>({text:r,hit:n.some(s=>s.toLowerCase()===r.toLowerCase())}))}var K$={decision_recorded:"claimed",approval_requested:"blocked",approval_decided:"completed",context_recorded:"context",execution_started:"running",execution_ended:"completed",action_noted:"edit",session_noted:"agent",body_erased:"close",unreadable:"warning"};function Zl({execution:e,selected:t,action:n,onEntry:o,onAction:r}){let{lines:s}=zl(e),{entries:a,complete:l,problem:c,more:d}=Vl(e),[u,p]=h("compact"),[f,$]=h("all"),[g,b]=h(!1),[M,v]=h(""),y=Xl(e,M,l?a.length:0),A=u==="compact",O=le(()=>new Map(A?s.map(G=>[G.id,G.state]):[]),[s,A]),P=le(()=>new Lo(A),[a[0]?.seq,A]),Z=le(()=>[...P.take(a)],[P,a]),L=le(()=>f==="all"?Z:Z.filter(G=>Jl(G,O)),[Z,f,O]),z=le(()=>f==="all"?P.indexBySeq:Yl(L),[P,L,f]),[H,V]=h(0),Y=z.get(H)??-1,re=C("");_(()=>{let G=t||n?`${t} ${n}`:"";if(G===re.current)return;let Pe=t?z.get(t):L.findIndex(Qu=>Qu.entry.id===n);G&&(Pe===void 0||Pe<0)||(re.current=G,G&&V(L[Pe].entry.seq))},[t,n,L]);let B=G=>G.entry.id.startsWith("ac_")&&A?r(G.entry.id):o(G.entry.seq),ye=G=>L[G]&&(b(!1),V(L[G].entry.seq)),Ye=le(()=>L.findIndex(G=>Un(G,O)==="failed"),[L,O]),ve=le(()=>[...new Set(y.seqs.map(G=>z.get(G)))].filter(G=>G!==void 0),[y.seqs,L]),yt=le(()=>new Set(ve),[ve]),nt=ve.findIndex(G=>G===Y),X=G=>ve.length&&ye(ve[nt<0?G>0?Math.max(0,ve.findIndex(Pe=>Pe>Y)):ve.length-1:(nt+G+ve.length)%ve.length]);fe("Journal",{j:{label:"next entry",run:()=>ye(Y+1)},k:{label:"previous entry",run:()=>ye(Y-1)},Enter:{label:"open the entry",run:()=>L[Y]&&B(L[Y])},f:{label:"follow",run:()=>b(!g)},e:{label:"go to the first failure",run:()=>ye(Ye)},n:{label:"next match",run:()=>X(1)},N:{label:"previous match",run:()=>X(-1)}});let xt=C(G=>{});xt.current=G=>(V(G.entry.seq),B(G));let fn=be("density")==="comfortable"?40:30;return c&&!a.length?i`<${N} problem=${c} />`:a.length?i`<div class="journal">
    <div class="journal-tools">
      <${Ke} label="Search this journal" value=${M} onChange=${v} onEnter=${()=>X(1)} placeholder="Search all entries">
        ${M&&i`<span class="journal-count" role="status">${y.done?`${nt>=0?`${nt+1} of `:""}${ve.length}${y.more?"+":""} in ${y.seqs.length}${y.more?"+":""} entries`:"…"}</span>
          <${w} kind="ghost" icon="up" label="Previous match" onClick=${()=>X(-1)} /><${w} kind="ghost" icon="down" label="Next match" onClick=${()=>X(1)} />`}
      </${Ke}>
      <${ie} label="Entries" value=${u} choices=${[["compact","Compact"],["full","Full"]]} onChange=${p} />
      <${ie} label="Which" value=${f} choices=${[["all","All"],["problems","Problems and decisions"]]} onChange=${$} />
      <span class="journal-end">
        <${w} icon="first" disabled=${Ye<0} onClick=${()=>ye(Ye)}>First failure</${w}>
        <${w} icon="follow" pressed=${g} onClick=${()=>b(!g)}>Follow</${w}>
        <span class="soft num">${L.length} rows, ${a.length}${l?"":"…"} entries</span>
      </span>
    </div>
    <${N} problem=${c||y.problem} />
    <div class="journal-list panel">
      <${Ot}
        label="Journal"
        rows=${L}
        height=${fn}
        selected=${Y}
        atEnd=${g}
        onEnd=${G=>g&&!G&&b(!1)}
        onNear=${d}
        looks=${(G,Pe)=>[Pe,fn,Pe===Y,yt.has(Pe),Un(G,O),M].join(" ")}
        row=${(G,Pe)=>i`<${V$} key=${G.entry.seq} row=${G} state=${Un(G,O)} height=${fn} on=${Pe===Y} hit=${yt.has(Pe)} search=${M} onOpen=${()=>xt.current(G)} />`}
      />
    </div>
  </div>`:l?i`<${q} title="No entries." />`:i`<${F} what="Loading the journal" />`}function V$({row:e,state:t,height:n,on:o,hit:r,search:s,onOpen:a}){let{entry:l,end:c}=e,d=c?.text&&t==="failed"?`${l.text?`${l.text}: `:""}${c.text}`:l.text||c?.text||(l.tool?"":l.id),u=K$[l.kind],p=l.behind||c?.behind;return i`<div class=${ee("line",o&&"line-on",r&&"line-hit",t&&`line-${t}`)} role="listitem" style=${{height:`${n}px`}}>
    <span class="num faint">${l.seq}${c?i`<span class="line-pair">–${c.seq}</span>`:null}</span>
    <${I} at=${l.at} form="absolute" />
    <span class="line-state">${t?i`<${W} state=${t} quiet />`:i`<span class="line-kind">${u&&i`<${S} name=${u} />`}${l.word||Bn(l.kind)}</span>`}</span>
    <button type="button" class="line-what cut" aria-pressed=${String(o)} onClick=${a}>
      ${p?i`<span class="soft">(clock ${pe(p*1e3)} behind) </span>`:null}${l.undo&&i`<strong>undo </strong>`}${l.tool?i`<code><${m} text=${l.tool} /></code> `:t||!l.word?null:i`<span class="soft">${Bn(l.kind)} </span>`}
      ${s?Ql(d,s).map(f=>f.hit?i`<mark><${m} text=${f.text} /></mark>`:i`<${m} text=${f.text} />`):i`<${m} text=${d} />`}
    </button>
    <span class="line-who cut"><${m} text=${l.actor} /></span>
    <span class="line-witness"><${Xe} witness=${l.witness} /></span>
    <span class="num line-took">${c&&t!=="in_doubt"?pe(Date.parse(c.at)-Date.parse(l.at)):""}</span>
  </div>`}Ae();te();U();var G$=8,ec=()=>`tallystick.recent.${Q()}`;function yr(){try{let e=JSON.parse(localStorage.getItem(ec())||"[]");return Array.isArray(e)?e.filter(t=>typeof t?.path=="string"&&t.path.startsWith("/")&&!t.path.startsWith("//")&&typeof t.title=="string"):[]}catch{return[]}}function tc(e){let t=location.pathname,n=yr().filter(o=>o.path!==t);localStorage.setItem(ec(),JSON.stringify([{path:t,title:e},...n].slice(0,G$)))}var xr=99,_r="Tallystick",Dt=0;function Ro(e,t=!1){t&&tc(e),_r=e==="Tallystick"?e:`${e} · Tallystick`,oc()}function nc(e){if(e===Dt)return;Dt=e,oc();let t=document.querySelector("link[rel=icon]");t&&(t.href=Dt?`/favicon.ico?waiting=${Math.min(Dt,xr+1)}`:"/static/favicon.svg")}function oc(){document.title=Dt?`(${J$()}) ${_r}`:_r}var J$=()=>Dt>xr?`${xr}+`:String(Dt);U();j();var Y$=1e4,X$=["not_undone","undoing","in_doubt","failed"];function Q$({id:e,query:t}){let{data:n,problem:o,reload:r}=D({by:[e],execution:e},d=>T(`/v1/executions/${encodeURIComponent(e)}/status`,{limit:Y$},{signal:d}));_(()=>{n&&Ro(_e(n.execution.title||e),!0)},[n?.execution.title]);let s=t.get("tab")||"work";if(em(e,s),!n)return i`<div class="page"><h1 class="visually-hidden">${e}</h1>${o?i`<${N} problem=${o} retry=${r} />`:i`<${F} what="Loading the execution" />`}</div>`;let a={action:t.get("action")||"",step:t.get("step")||"",entry:t.get("entry")||""},l=d=>J({action:"",step:"",entry:"",...d}),c=!!(a.action||a.step||a.entry);return i`<div class="page x-page">
    <${fl} status=${n} query=${t} />
    <${N} problem=${o} retry=${r} />
    <${Cn} label="Views of this execution" value=${s} tabs=${Z$(n)} href=${d=>sc(e,d)} />
    <div class=${ee("x-body",c&&"x-detailed",`x-tab-${s}`)}>
      <div class="x-main"><${tm} tab=${s} status=${n} query=${t} chosen=${a} select=${l} /></div>
      ${c&&i`<${ll} execution=${e} status=${n.execution.status} ...${a} steps=${n.steps||[]} onClose=${()=>l({})} onAction=${d=>l({action:d})} />`}
    </div>
  </div>`}var on=[["work","Work"],["journal","Journal"],["undo","Undo list"],["doubt","In doubt"],["context","Context"],["coverage","Coverage"]],sc=(e,t)=>x(`/x/${e}`,{tab:t===on[0][0]?"":t});function Z$(e){let{owed:t,in_doubt:n,undo_states:o={}}=e.execution,s={undo:X$.reduce((l,c)=>l+Number(o[c]||0),0),doubt:n},a={undo:t?"undo":"plain",doubt:"doubt"};return on.map(([l,c])=>({id:l,title:c,count:s[l],tone:a[l]}))}function em(e,t){let n=on.findIndex(([r])=>r===t),o=r=>ce(sc(e,on[(n+r+on.length)%on.length][0]));fe("Execution",{"]":{label:"next view",run:()=>o(1)},"[":{label:"previous view",run:()=>o(-1)},u:{label:"back to all executions",run:()=>ce("/executions")}})}function tm({tab:e,status:t,query:n,chosen:o,select:r}){let s=t.execution,a=l=>r({action:l});return e==="journal"?i`<${Zl} execution=${s.id} selected=${Number(o.entry)||0} action=${o.action} onEntry=${l=>r({entry:l})} onAction=${a} />`:e==="undo"?i`<${bl} execution=${s.id} onAction=${a} />`:e==="doubt"?i`<${cl} execution=${s.id} onAction=${a} />`:e==="context"?i`<${Wa} execution=${s.id} task=${s.task_id||""} />`:e==="coverage"?i`<${Ka} coverage=${t.coverage} />`:i`<${Bl} status=${t} query=${n} chosen=${o} select=${r} row_actions=${ml(s)} />`}var Ar={};Ce(Ar,{Page:()=>Em});K();Sr();Po();K();Po();k();te();U();var am={m:6e4,h:36e5,d:864e5,w:6048e5},lm=20,cm=8;function Vn(e,t=Date.now()){let n=e.trim().toLowerCase();if(n==="today")return{since:rn(Kn(t,0,0))};if(n==="yesterday")return{since:rn(Kn(t,-1,0)),until:rn(Kn(t,0,0))};if(n==="last night"){let r=Kn(t,0,cm);return{since:rn(Kn(t,-1,lm)),...r<t?{until:rn(r)}:{}}}let o=/^(\d{1,6})\s*([mhdw])$/.exec(n);return o?{since:rn(t-Number(o[1])*am[o[2]])}:null}function Kn(e,t,n){let o=new Date(e);return new Date(o.getFullYear(),o.getMonth(),o.getDate()+t,n).getTime()}var rn=e=>new Date(e).toISOString();j();function dm(e){try{let t=JSON.parse(localStorage.getItem(uc(e))||"null");return Number.isFinite(t?.since)&&Number.isFinite(t?.until)?t:null}catch{return null}}var uc=e=>`tallystick.looked.${e}`;function jo(e){let t=Date.now(),n=dm(e),o=n?t-n.until<6e5?n.since:n.until:0;return localStorage.setItem(uc(e),JSON.stringify({since:o,until:t})),o}function pc(e,t){let n=()=>document.hidden||jo(e),o=()=>!document.hidden&&t(),r=setInterval(n,6e4);return document.addEventListener("visibilitychange",o),()=>(clearInterval(r),document.removeEventListener("visibilitychange",o))}var um=12,pm=[["look","Since you last looked"],["24h","24 hours"],["last night","Last night"],["7d","7 days"]],fm={look:"Since you last looked","24h":"The last 24 hours","last night":"Last night","7d":"The last 7 days"},$m=["execution_started","execution_ended","decision_recorded"],mm=[["failed","failed","failed"],["completed","finished","ok"],["cancelled","cancelled","idle"],["closed","closed","idle"],["started","started","running"]];function fc({range:e}){let[t,n]=h(()=>jo(Q()));_(()=>pc(Q(),()=>n(jo(Q()))),[]);let o=e||(t?"look":"24h"),r=o==="look"?{since:new Date(t).toISOString()}:Vn(o)??{since:"24h"},s=D({by:[Q(),o,t],kinds:$m},l=>T("/v1/activity",{...r,limit:um},{signal:l})),a=s.data;return i`<section class="home-activity" aria-labelledby="happened">
    <header class="page-head">
      <h2 id="happened">${fm[o]??o}</h2>
      ${a&&i`<${hm} since=${a.since} until=${a.until} />`}
      <div class="page-head-end"><${ie} label="Range" value=${o} choices=${pm} onChange=${l=>J({range:l==="look"?"":l},{replace:!0})} /></div>
    </header>
    <${N} problem=${s.problem} retry=${s.reload} />
    ${a?i`<${gm} data=${a} />`:!s.problem&&i`<${F} />`}
  </section>`}function hm({since:e,until:t}){let n=tt(),o=we(),r=o-Date.parse(t)<6e4;return i`<p class="soft">${In(e,n)} – ${r?"now":In(t,n)}${r?` (${pe(o-Date.parse(e),1)})`:""}</p>`}function gm({data:e}){let t=e.agents??[],n=e.executions??[];return t.length?i`<ul class="home-agents" aria-label="By agent">
      ${t.map(o=>i`<li key=${o.actor}>
        <strong class="cut"><${m} text=${o.actor} /></strong>
        <span>${mm.filter(([r])=>o[r]).map(([r,s,a],l)=>i`${l?", ":""}<span class=${`count-${a}`}>${o[r]} ${s}</span>`)}</span>
      </li>`)}
    </ul>
    <div class="panel home-rows" role="list" aria-label="Executions">
      ${n.map((o,r)=>i`<${sn} key=${o.id} row=${o} index=${`happened-${r}`} selected=${!1} onFocus=${()=>{}} />`)}
    </div>
    ${(e.more||e.whole===!1)&&i`<p class="soft">${e.more?"There are more. ":"Older executions may have ended in this time. "}<a href=${x("/executions",{q:`since:${e.since}`})}>Show all executions started since</a></p>`}`:i`<${R}><${q} icon="check" title="Nothing was started or finished." /><//>`}k();oe();qo();Ae();U();j();var Mr={question_waits:{word:"Question",many:"questions",tone:"waiting",icon:"blocked",button:"Answer"},undo_expires:{word:"Undo expires",many:"undos expire",tone:"undo",icon:"late",button:"Undo or keep"},in_doubt:{word:"In doubt",tone:"doubt",icon:"in_doubt",button:"Settle"},run_held:{word:"Step held",many:"steps held",tone:"doubt",icon:"paused",button:"Settle"},interrupted:{word:"Interrupted",tone:"doubt",icon:"warning",button:"Take up or end"},undo_left:{word:"Not undone",tone:"undo",icon:"owed",button:"Undo or keep"}},xm={in_doubt:"doubt",run_held:"doubt",undo_expires:"undo",undo_left:"undo"},mc=(e,t)=>`${t} ${t>1&&Mr[e]?.many||(Mr[e]?.word??e).toLowerCase()}`;function hc(e){return e.need==="question_waits"?x(`/approvals/${e.about}`):x(`/x/${e.execution_id}`,{tab:xm[e.need]??""})}function gc({items:e}){let[t,n]=h(-1),o=r=>n(Math.max(0,Math.min(e.length-1,t+r)));return fe("Needs you",{j:{label:"next",run:()=>o(1)},k:{label:"previous",run:()=>o(-1)},Enter:{label:"open it",run:()=>e[t]&&ce(hc(e[t]))}}),_(()=>{if(t<0)return;document.querySelector(`[data-need="${t}"] .need-link`)?.focus()},[t]),i`<ul class="needs panel" aria-label="What needs you">
    ${e.map((r,s)=>i`<${_m} key=${`${r.need}/${r.about}`} item=${r} index=${s} onFocus=${()=>n(s)} />`)}
  </ul>`}function _m({item:e,index:t,onFocus:n}){let{word:o,tone:r,icon:s,button:a}=Mr[e.need]??{word:e.need,tone:"plain",icon:"warning",button:"Open"},l=hc(e);return i`<li class=${`need tone-${r}`} data-need=${t}>
    <span class="need-kind"><${ne} tone=${r} icon=${s}>${o}</${ne}></span>
    <div class="need-what">
      <a class="need-link" href=${l} onFocus=${n}><${m} text=${e.need==="question_waits"?e.text:e.title||e.text} /></a>
      <p class="need-text soft">
        ${e.need==="question_waits"?e.title&&i`<${m} text=${e.title} />`:e.title&&i`<${m} text=${e.text} />`}
        ${e.count>1&&i`<strong>, and ${e.count-1} more</strong>`}
      </p>
    </div>
    <div class="need-since">
      ${e.until?i`<${wm} until=${e.until} />`:i`<span><${I} at=${e.since} /></span>`}
      ${e.who&&i`<span class="need-who cut"><${m} text=${e.who} /></span>`}
    </div>
    <${ze} class="need-button" href=${l} kind=${e.need==="question_waits"?"primary":"plain"} tabindex="-1" aria-label=${`${a}: ${_e(e.title||e.text)}`}>${a}</${ze}>
  </li>`}function wm({until:e}){let{text:t,urgency:n}=Gn(e,we());return i`<span class="need-until" title=${e}><${S} name="late" size=${14} /> ${n==="over"?"too late":t}</span>`}K();k();te();U();j();var vm=6e4,bc={verify_failed:"Verification failed",hook_silent:"Hooks are silent",run_failed:"A run failed",tool_failing:"A tool fails more than usual",step_slow:"A step takes long"};function yc(){let{data:e,reload:t}=D({by:[Q()],kinds:["alert_silenced","execution_ended"]},o=>T("/v1/alerts",{},{signal:o}));_(()=>{let o=setInterval(()=>document.hidden||t(),vm);return()=>clearInterval(o)},[]);let n=(e?.alerts??[]).filter(o=>o.rule in bc&&!o.silenced);return n.length?i`<section aria-labelledby="watch">
    <header class="page-head"><h2 id="watch">Worth a look</h2><div class="page-head-end"><a href=${x("/alerts")}>All alerts</a></div></header>
    <ul class="needs panel" aria-label="Worth a look">
      ${n.map(o=>i`<li class="need" key=${`${o.rule}/${o.about}`}>
        <span class="need-kind"><${ne} tone="failed" icon="warning">${bc[o.rule]}</${ne}></span>
        <div class="need-what">
          ${o.execution_id?i`<a class="need-link" href=${x(`/x/${o.execution_id}`)}><${m} text=${o.text} /></a>`:i`<span class="need-link"><${m} text=${o.text} /></span>`}
          <p class="need-text soft"><${m} text=${[o.title,o.to_do].filter(Boolean).join(" · ")} /></p>
        </div>
        <div class="need-since"><span><${I} at=${o.since} /></span></div>
      </li>`)}
    </ul>
  </section>`:null}k();oe();K();k();te();U();var km=["approval_","execution_","action_doubted","decision_recorded","session_opened","session_ended"],Sm=1e4,xc=gs({data:null,problem:null,reload:()=>{}}),Cr=xc.Provider;function _c(){let e=D({kinds:km,by:[Q()]},t=>T("/v1/inbox",{limit:50},{signal:t}));return _(()=>{let t=setInterval(()=>document.hidden||e.reload(),Sm);return()=>clearInterval(t)},[]),_(()=>nc(Se()?0:Jn(e.data)),[e.data]),e}var Bo=()=>vs(xc),Jn=e=>Object.values(e?.counts??{}).reduce((t,n)=>t+n,0);te();U();j();function Em({query:e}){let{data:t,problem:n,reload:o}=Bo(),r=D({by:[Q()],kinds:["execution_started"]},l=>T("/v1/executions",{limit:1},{signal:l})),s=e.has("q")||e.has("group")||Se();if(_(()=>{s&&ce(x("/executions",e),{replace:!0})},[s]),s)return null;if(r.data&&!r.data.executions.length)return i`<${Do} />`;if(!t||!r.data)return i`<div class="page"><h1 class="visually-hidden">Home</h1>${n?i`<${N} problem=${n} retry=${o} />`:i`<${F} />`}</div>`;let a=Jn(t);return i`<div class="page home">
    <header class="page-head">
      <h1>${a?"Needs you":"Nothing needs you"}</h1>
      ${a>0&&i`<p class="home-counts soft">${Tm(t.counts)}</p>`}
    </header>
    <${N} problem=${n} retry=${o} />
    ${a?i`<${gc} items=${t.items} />`:i`<p class="home-calm"><${S} name="completed" size=${20} /><span>No question waits, nothing is in doubt, and nothing is left to undo.</span></p>`}
    ${(t.items.length<a||t.more.length>0)&&i`<p class="soft">There are more: look at <a href=${x("/executions")}>all executions</a>.</p>`}
    <${Mm} rows=${t.working} count=${t.working_count} />
    <${yc} />
    <${fc} range=${e.get("range")||""} />
  </div>`}var Tm=e=>Object.entries(e).map(([t,n])=>mc(t,n)).join(" · ");function Mm({rows:e,count:t}){return i`<section aria-labelledby="working">
    <header class="page-head">
      <h2 id="working">${t?"Running now":"Nothing is running"}</h2>
      ${t>0&&i`<p class="soft">${t} ${t===1?"execution":"executions"}</p>`}
      <div class="page-head-end"><a href=${x("/executions")}>All executions</a></div>
    </header>
    ${t>0&&i`<div class="panel home-rows" role="list" aria-label="Running now">
      ${e.map((n,o)=>i`<${sn} key=${n.id} row=${n} index=${`working-${o}`} selected=${!1} onFocus=${()=>{}} />`)}
    </div>`}
    ${t>e.length&&i`<p class="soft"><a href=${x("/executions",{q:"status:running"})}>Show all that are running</a></p>`}
  </section>`}U();Fe();Or();Ht();k();oe();K();k();oe();U();je();var Am="excerpt";function Ec(){let[e,t]=h([]),n=Se()?Q():"";if(_(()=>{n&&T("/v1/imports").then(s=>t(s.imports),()=>{})},[n]),!n)return null;let o=e.find(s=>s.journal===n),r=o&&!o.verified;return i`<p class=${`imported ${r?"imported-wrong":""}`} role="note">
    <${S} name=${r?"warning":"import"} />
    <span>This is an imported export${o&&o.of!==Am&&i` of <code><${m} text=${o.of} /></code>`}, not a journal of this server.
      ${r&&i`<strong> It does not verify: <${m} text=${o.problem.replace(/\.$/,"")} />. Do not rely on it.</strong>`}</span>
  </p>`}On();Ae();te();U();K();k();oe();U();j();U();var Fo={recent:["Recent","late"],page:["Pages","table"],execution:["Executions","executions"],plan:["Plans","plans"],approval:["Approvals","approvals"],action:["Actions","running"],decision:["Decisions","check"],context:["Context","context"],person:["People and agents","person"],tool:["Tools","settings"]},Im=e=>/\s/.test(e)?`"${e}"`:e;function Nr(e){let{kind:t,id:n}=e;return e.path?x(e.path):t==="execution"?x(`/x/${n}`):t==="plan"?x(`/plans/${n}`):t==="approval"?x(`/approvals/${n}`):t==="action"?x(`/x/${e.execution_id}`,{action:n}):t==="decision"?x(`/x/${e.execution_id}`,{tab:"journal"}):t==="context"?x("/context",{text:n.split(" ").slice(1).join(" ")}):x("/executions",{q:`${t==="person"?"agent":"tool"}:${Im(n)}`})}var Om=/\b(since|until):(?:"([^"]*)"|(\S+))/gi,Nm=/(?<![^\W_])(today|yesterday|last night)(?![^\W_])/gi;function Tc(e){let t={},n=e.replace(Om,(o,r,s,a)=>{let l=s??a,c=Vn(l);return r.toLowerCase()==="since"?t={...t,...c??{since:l}}:t={...t,until:c?.until??c?.since??l}," "});return n=n.replace(Nm,(o,r)=>(t={...t,...Vn(r)}," ")),{text:n.trim().replaceAll(/\s+/g," "),...t}}var Lm=150,Rm=/^(ex|pl|ap)_[a-z0-9]+$/,Dm={ex:"execution",pl:"plan",ap:"approval"},Cc=[["/","Home"],["/executions","Executions"],["/approvals","Approvals"],["/plans","Plans"],["/context","Context"],["/stats","Stats"],["/alerts","Alerts"],["/webhooks","Webhooks"],["/compare","Compare two executions"]];function Ac({onClose:e}){let[t,n]=h(""),{found:o,searched:r,problem:s,pending:a}=Pm(t),l=C(!1),[c,d]=h(0),u=C(null),p=Me();_(()=>{let b=u.current;return b?.showModal(),()=>b?.close()},[]),_(()=>{d(0),l.current&&o[0]&&f(o[0]),l.current=!1},[o]),_(()=>u.current?.querySelector("[aria-selected=true]")?.scrollIntoView({block:"nearest"}),[c,o]);let f=b=>(e(),ce(Nr(b))),$=b=>{let M={ArrowDown:1,ArrowUp:-1}[b.key];if(M)d((c+M+o.length)%Math.max(o.length,1));else if(b.key==="Enter"&&a)l.current=!0;else if(b.key==="Enter"&&o[c])f(o[c]);else return;b.preventDefault()};return i`<dialog ref=${u} class="dialog palette" aria-label="Search" onCancel=${b=>(b.preventDefault(),e())} onClick=${b=>b.target===u.current&&e()}>
    <div class="palette-box">
      <div class="palette-input">
        <${S} name="search" />
        <input type="text" role="combobox" aria-label="Search everything" aria-expanded="true" aria-controls=${p} aria-activedescendant=${o.length?`${p}-${c}`:null}
          autofocus autocomplete="off" spellcheck="false" placeholder="Search executions, actions, approvals, people, …" value=${t}
          onInput=${b=>n(b.target.value)} onKeyDown=${$} />
        <button type="button" class="button button-ghost" onClick=${e}>Close</button>
      </div>
      <${N} problem=${s} />
      <div id=${p} class="palette-list" role="listbox" aria-label="Found">
        ${qm(o).map(([b,M])=>i`<div role="group" aria-label=${Fo[b][0]} key=${b}>
          <div class="palette-kind" aria-hidden="true">${Fo[b][0]}</div>
          ${M.map(([v,y])=>i`<${Bm} key=${`${v.kind} ${v.id}`} id=${`${p}-${y}`} found=${v} chosen=${y===c} onOpen=${()=>f(v)} onPoint=${()=>d(y)} />`)}
        </div>`)}
      </div>
      <p class="palette-note soft" role="status">${a?"Searching…":o.length?i`<span class="visually-hidden">${o.length} found</span>`:r?"Nothing was found.":""}</p>
      <p class="palette-hints soft"><span><${Be} keys="↑ ↓" /> choose <${Be} keys="Enter" /> open</span><span>Times too: <code>yesterday</code> <code>last night</code> <code>since:16h</code></span></p>
    </div>
  </dialog>`}function Pm(e){let t=le(()=>[...yr().map(r=>({kind:"recent",id:r.path,...r})),...Cc.map(([r,s])=>({kind:"page",id:r,path:r,title:s}))],[]),[n,o]=h({found:t,searched:!1,problem:null});return _(()=>{let r=Tc(e);if(!r.text&&!r.since&&!r.until)return o({found:t,searched:!1,problem:null,of:e});let s=new AbortController,a=setTimeout(()=>jm(r,s.signal).then(l=>s.signal.aborted||o({found:l,searched:!0,problem:null,of:e}),l=>s.signal.aborted||o({found:[],searched:!0,problem:l,of:e})),Lm);return()=>(clearTimeout(a),s.abort())},[e]),{...n,pending:e!==(n.of??"")}}async function jm(e,t){let n=Rm.exec(e.text);if(n)return[{kind:Dm[n[1]],id:e.text,title:e.text}];let o=Cc.filter(([,s])=>e.text&&s.toLowerCase().startsWith(e.text.toLowerCase())).map(([s,a])=>({kind:"page",id:s,path:s,title:a}));return/[\p{L}\p{N}]/u.test(e.text)?[...o,...(await T("/v1/matches",e,{signal:t})).matches]:e.text?[]:(await T("/v1/executions",{since:e.since,until:e.until,limit:20},{signal:t})).executions.map(s=>({kind:"execution",id:s.id,title:s.title,at:s.started,who:s.actor}))}function qm(e){let t=new Map;return e.forEach((n,o)=>t.set(n.kind,[...t.get(n.kind)??[],[n,o]])),[...t]}function Bm({id:e,found:t,chosen:n,onOpen:o,onPoint:r}){let s=t.snippet??[],a=t.title||t.id,l=s.length>0&&s.join("")===a,c=t.execution_title&&t.kind!=="execution"?t.execution_title:"";return i`<a role="option" id=${e} tabindex="-1" class="palette-option" href=${Nr(t)} aria-selected=${String(n)} onMouseMove=${r}
    onClick=${d=>{d.metaKey||d.ctrlKey||d.shiftKey||(d.preventDefault(),o())}}>
    <${S} name=${Fo[t.kind]?.[1]??"table"} />
    <span class="palette-what">
      <span class="palette-title cut">${l?i`<${Mc} pieces=${s} />`:i`<${m} text=${a} />`}</span>
      ${s.length>0&&!l&&i`<span class="palette-snippet cut"><${Mc} pieces=${s} /></span>`}
      ${(c||t.who)&&i`<span class="palette-where cut soft">${c&&i`<${m} text=${c} />`}${c&&t.who?" · ":""}${t.who&&i`<${m} text=${t.who} />`}</span>`}
    </span>
    ${t.at&&i`<span class="palette-at soft"><${I} at=${t.at} /></span>`}
  </a>`}function Mc({pieces:e}){return e.map((t,n)=>n%2?i`<mark><${m} text=${t} /></mark>`:i`<${m} text=${t} />`)}Fe();et();j();var Oc=[["/","Home","home","h"],["/executions","Executions","executions","e"],["/approvals","Approvals","approvals","a"],["/plans","Plans","plans","p"],["/context","Context","context","c"],["/stats","Stats","stats","s"]];function Lr({path:e,children:t}){let[n,o]=h(!1),[r,s]=h(!1),a=_c(),l=Oc.map(([c,d,,u])=>[`g ${u}`,{label:`go to ${d.toLowerCase()}`,run:()=>ce(c)}]);return fe("Everywhere",{"?":{label:"show these shortcuts",run:()=>o(!0)},"/":{label:"search everything",run:()=>s(!0)},"Ctrl+k":{label:"search everything",run:()=>s(!0),typing:!0},f:{label:"filter this page",run:er},...Object.fromEntries(l),"g l":{label:"go to alerts",run:()=>ce("/alerts")}}),i`<${Cr} value=${a}>
    <a class="skip" href="#main" data-native>Skip to the content</a>
    <header class="top">
      <a class="brand" href=${x("/")} aria-label="Tallystick, home"><${ho} /><span>Tallystick</span></a>
      <${zm} />
      <${Fm} path=${e} />
      <div class="top-end">
        <${w} kind="ghost" icon="search" aria-label="Search, Ctrl K" onClick=${()=>s(!0)}><span class="search-key">Ctrl K</span></${w}>
        <${Hm} />
        <${Wm} />
        <${Km} onHelp=${()=>o(!0)} />
      </div>
    </header>
    <${Ec} />
    <main id="main" tabindex="-1">${t}</main>
    <${Ns} />
    <${kc} />
    <${Ym} />
    ${r&&i`<${Ac} onClose=${()=>s(!1)} />`}
    ${n&&i`<${Jm} onClose=${()=>o(!1)} />`}
  </${Cr}>`}function Fm({path:e}){let t=Bo().data,n=!Se()&&t?.counts||{},o={"/":[Se()?0:Jn(t),"need you"],"/approvals":[n.question_waits??0,"pending"]},r=s=>s==="/"?e==="/"||e==="/alerts":e.startsWith(s)||s==="/executions"&&e.startsWith("/x/");return i`<nav class="navigation" aria-label="Main">
    ${Oc.map(([s,a,l])=>i`<a href=${x(s)} class="nav-link" aria-current=${r(s)?"page":null}>
        <${S} name=${l} /><span>${a}</span>
        ${o[s]?.[0]?i`<span class="nav-link-count tone-waiting"><span class="visually-hidden">, </span>${o[s][0]}<span class="visually-hidden"> ${o[s][1]}</span></span>`:null}
      </a>`)}
  </nav>`}function zm(){let{shown:e,others:t}=ht();return e?t.length?i`<label class="journal-name"><${S} name="journal" /><span class="visually-hidden">Journal</span>
    <select value=${e} onChange=${n=>ce(`/?journal=${encodeURIComponent(n.target.value)}`)}>
      ${[e,...t].sort().map(n=>i`<option value=${n} selected=${n===e}>${n}</option>`)}
    </select>
  </label>`:i`<span class="journal-name" title="Journal"><${S} name="journal" /><span>${e}</span></span>`:null}function Hm(){let e=tt();return be("time")==="absolute"?i`<span class="zone" title="Time zone">${e}</span>`:null}var Um={live:["live","Live"],connecting:["offline","Connecting"],offline:["offline","Offline"]};function Wm(){let e=fa(),[t,n]=Um[e];return i`<span class=${`connection connection-${e}`} role="status">
    <${S} name=${t} /><span>${n}</span>
  </span>`}var Ic={theme:"Theme",density:"Density",time:"Times",zone:"Time zone"};function Km({onHelp:e}){let t=Ie(),n=tt();return i`<${st} label="Settings" icon="settings" kind="ghost" end>
    <div class="settings">
      ${Object.keys(An).map(o=>i`<${Gm} key=${o} name=${o} />`)}
      <p class="soft">Times are shown in ${n}.</p>
      <hr />
      <a class="menu-item" href=${x("/alerts")}><${S} name="warning" />Alerts</a>
      <a class="menu-item" href=${x("/compare")}><${S} name="compare" />Compare two executions</a>
      <a class="menu-item" href=${x("/webhooks")}><${S} name="export" />Webhooks</a>
      <a class="menu-item" href=${x("/import")}><${S} name="import" />Open an export</a>
      <button type="button" class="menu-item" data-close onClick=${e}><${S} name="keyboard" />Shortcuts <${Be} keys="?" /></button>
      ${t.person&&i`<${Vm} session=${t} />`}
      <p class="soft">Tallystick ${t.version}</p>
    </div>
  </${st}>`}function Vm({session:e}){return i`<button type="button" class="menu-item" onClick=${async()=>{await fetch("/logout",{method:"POST",headers:{"Tallystick-CSRF":e.csrf}}),io(!0),location.assign("/login")}}><${S} name="person" />Log out ${e.name}</button>`}function Gm({name:e}){let t=be(e);return i`<div class="setting">
    <span>${Ic[e]}</span>
    <${ie} label=${Ic[e]} value=${t} choices=${An[e]} onChange=${n=>sr(e,n)} />
  </div>`}function Jm({onClose:e}){let t=Xi();return i`<${Qe} title="Shortcuts" onClose=${e} wide>
    <div class="help">
      ${t.map(({group:n,keys:o})=>i`<section>
          <h3>${n}</h3>
          <dl>${o.map(([r,s])=>i`<div><dt><${Be} keys=${r} /></dt><dd>${s}</dd></div>`)}</dl>
        </section>`)}
    </div>
  </${Qe}>`}function Ym(){let e=Qi();return e?i`<div class="pending" role="status"><${Be} keys=${e} /> then…</div>`:null}et();j();var Yu=()=>Promise.resolve().then(()=>(gd(),hd)),Vb=[["/",async()=>Ar,"Home"],["/executions",()=>Promise.resolve().then(()=>(Sd(),kd)),"Executions"],["/x/:id",async()=>wr,"Execution"],["/approvals",Yu,"Approvals","approvals"],["/approvals/:id",Yu,"Approvals","approvals"],["/alerts",()=>Promise.resolve().then(()=>(Cd(),Md)),"Alerts"],["/webhooks",()=>Promise.resolve().then(()=>(Ld(),Nd)),"Webhooks"],["/context",()=>Promise.resolve().then(()=>(jd(),Pd)),"Context"],["/plans",()=>Promise.resolve().then(()=>(Bd(),qd)),"Plans"],["/plans/:id",()=>Promise.resolve().then(()=>(Wd(),Ud)),"Plan"],["/compare",()=>Promise.resolve().then(()=>(Zd(),Qd)),"Compare"],["/stats",()=>Promise.resolve().then(()=>(ku(),vu)),"Stats"],["/replay/:id",()=>Promise.resolve().then(()=>(zu(),Fu)),"Replay"],["/import",()=>Promise.resolve().then(()=>(Vu(),Ku)),"Import"]],Gb={module:()=>Promise.resolve().then(()=>(Ju(),Gu)),params:{},title:"Not found",pageKey:""};function Jb(e){for(let[t,n,o,r]of Vb){let s=Fi(t,e);if(s)return{module:n,params:s,title:o,pageKey:r}}return Gb}function Yb(){let{path:e,query:t}=qi(),{module:n,params:o,title:r,pageKey:s}=Jb(e),[a,l]=h(null),c=t.get("journal")||"";ke(()=>{Ro(r);let u=!1;return n().then(p=>u||l({module:n,Page:p.Page}),()=>u||l({module:n,Page:Xb})),()=>{u=!0}},[n]),_(()=>da(),[c]);let d=C(0);return Re(u=>{u===null&&(d.current+=1)>1&&ut()}),i`<${Lr} path=${e}>
    <${Xu} key=${(s||e)+c}>
      ${a?.module===n?i`<${a.Page} ...${o} query=${t} />`:i`<${F} />`}
    </${Xu}>
  </${Lr}>`}function Xb(){return i`<div class="page"><${N} problem=${{message:"This view could not be loaded.",hint:"Is the server still running?"}} retry=${()=>location.reload()} /></div>`}function Xu({children:e}){let[t,n]=ks(o=>console.error(o));return t?i`<${N} problem=${{message:"This view failed.",hint:String(t)}} retry=${n} />`:i`<${ct}>${e}</${ct}>`}za();io();zi();pa();Zi();Wi();hs(i`<${Yb} />`,document.getElementById("app"));
