var ap=Object.defineProperty;var E=(e,t,n)=>()=>{if(n)throw n[0];try{return e&&(t=e(e=0)),t}catch(o){throw n=[o],o}};var Ce=(e,t)=>{for(var n in t)ap(e,n,{get:t[n],enumerable:!0})};function wt(e){e&&e.parentNode&&e.remove()}function fi(e,t,n){var o,s,r,a={},l=arguments.length;for(r in t)r=="key"?o=t[r]:r=="ref"&&typeof e!="function"?s=t[r]:a[r]=t[r];return l>2&&(a.children=l>3?$s.call(arguments,2):n),hn(e,a,o,s,null)}function hn(e,t,n,o,s){var r={type:e,props:t,key:n,ref:o,__k:null,__:null,__b:0,__e:null,__c:null,constructor:gn,__v:s||++ci,__i:-1,__u:0};return!s&&de.vnode&&de.vnode(r),r}function ct(e){return e.children}function to(e,t){this.props=e,this.context=t,this.__g=0}function lt(e,t){if(t==null)return e.__&&lt(e.__,e.__i+1);for(var n;t<e.__k.length;t++)if((n=e.__k[t])&&n.__e)return n.__e;return typeof e.type!="function"||e.props.__P?null:lt(e)}function dp(e){var t,n=e.__v,o=n.__e,s=[],r=[],a=e.__P;a&&((t=vt({constructor:gn},n)).__v=n.__v+1,de.vnode&&de.vnode(t),ms(a,t,n,e.__n,a.namespaceURI,32&n.__u?[o]:null,s,o||lt(n),32&n.__u,r),t.__v=n.__v,t.__.__k[t.__i]=t,yi(s,t,r),n.__=n.__e=null,t.__e!=o&&$i(t))}function $i(e){if((e=e.__)&&e.__c&&!e.props.__P)return e.__e=null,e.__k.some(function(t){return t&&(e.__e=t.__e)}),$i(e)}function us(e){(8&e.__g||(e.__g|=8,at.push(e),oo++))&&cs==de.debounceRendering||((cs=de.debounceRendering)||queueMicrotask)(mi)}function mi(){try{for(var e,t=1;at.length;)at.length>t&&at.sort(di),e=at.shift(),t=at.length,8&e.__g&&dp(e)}finally{(oo=at.length)&&(cs||queueMicrotask)(mi)}}function hi(e,t,n,o,s,r,a,l,c,d,u){var p,$,f,g,b,C,M=o.__k||ro,y=t.length;for(c=up(n,t,M,c,y),p=0;p<y;p++)(f=n.__k[p])!=null&&($=~f.__i&&M[f.__i]||so,f.__i=p,C=ms(e,f,$,s,r,a,l,c,d,u),g=f.__e,($.ref!=f.ref||8&$.__u)&&($.ref&&hs($.ref,null,f,$),f.ref&&u.push(f.ref,f.__c||g,f)),b=b||g,4&f.__u?(c=gi(f,c,e,!$.__v),$.__e&&($.__e=null)):typeof f.type=="function"&&C!==void 0?c=C:g&&(c=g.nextSibling),f.__u&=-21);return n.__e=b,c}function up(e,t,n,o,s){var r,a,l,c,d,u,p,$,f,g=n.length,b=g,C=0,M=0,y=e.__k=Array(s);for(r=0;r<s;r++)(a=t[r])!=null&&typeof a!="boolean"&&typeof a!="function"?(typeof a!="object"||a.constructor===String?a=y[r]=hn(null,a):fs(a)?a=y[r]=hn(ct,{children:a}):a.constructor===gn&&a.__b?a=y[r]=hn(a.type,a.props,a.key,a.ref,a.__v):y[r]=a,c=r+C,a.__=e,a.__b=e.__b+1,l=null,~(d=a.__i=pp(a,n,c,b))&&(b--,(l=n[d])&&(l.__u|=2)),l&&l.__v?(a.__u|=16,d==c-1?C--:d==c+1?C++:d!=c&&(d>c?C--:C++,M=1)):(~d||(s>g?C--:s<g&&C++),typeof a.type!="function"&&(a.__u|=4))):y[r]=null;if(M){for(u=[],p=[],r=0;r<s;r++)if((a=y[r])&&16&a.__u){for(C=0,$=u.length;C<$;)u[f=C+$>>1]<a.__i?C=f+1:$=f;u[C]=a.__i,p[r]=C+1}for(C=u.length;r--;)p[r]&&(p[r]==C?C--:y[r].__u|=4)}if(b)for(r=0;r<g;r++)!(l=n[r])||2&l.__u||(l.__e==o&&(o=lt(l)),gs(l,l));return o}function gi(e,t,n,o){var s,r,a,l;if(typeof e.type=="function"){if(e.props.__P)return t;if(s=e.__k)for(r=0;r<s.length;r++)s[r]&&(s[r].__=e,t=gi(s[r],t,n,!1));return t}for(t&&!t.parentNode&&(t=lt(e))&&!t.parentNode&&(t=null),a=e.__e,l=t;l&&l.nodeType==8;)l=l.nextSibling;for(a!=l&&(!o&&n.moveBefore&&a.parentNode?n.moveBefore(a,t):n.insertBefore(a,t||null)),t=a;(t=t&&t.nextSibling)&&t.nodeType==8&&!t.data.startsWith("$s"););return t}function pp(e,t,n,o){var s,r=e.key,a=e.type,l=t[n],c=l&&!(2&l.__u);if(l===null&&r==null||c&&r==l.key&&a==l.type)return n;if(o>(c?1:0)){for(s=n-1;s>=0;s--)if((l=t[s])&&!(2&l.__u)&&r==l.key&&a==l.type)return s;for(s=n+1;s<t.length;s++)if((l=t[s])&&!(2&l.__u)&&r==l.key&&a==l.type)return s}return-1}function li(e,t,n){n==null&&(n=""),t[0]=="-"?e.setProperty(t,n):e[t]=n}function Zn(e,t,n,o,s){var r,a;if(t=="style")if(typeof n=="string")e.style.cssText=n;else{if(typeof o=="string"&&(e.style.cssText=o=""),o)for(t in o)n&&t in n||li(e.style,t);if(n)for(t in n)o&&n[t]==o[t]||li(e.style,t,n[t])}else if(t[0]=="o"&&t[1]=="n")typeof n!="function"&&(n=null),typeof o!="function"&&(o=null),(e.__e||(e.__e={}))[t]=n,n&&o||(a=ds[t]||(ds[t]=fp(t)),(e.__a||(e.__a={}))[t]=ps,r=t!=(t=t.replace(ui,"$1")),(t=t.slice(2))[0]<"a"&&(t=t.toLowerCase()),n?e.addEventListener(t,a,r):e.removeEventListener(t,a,r));else{if(s=="http://www.w3.org/2000/svg")t=t.replace(/xlink(H|:h)/,"h").replace(/sName$/,"s");else if(t!="width"&&t!="height"&&t!="href"&&t!="list"&&t!="form"&&t!="tabIndex"&&t!="download"&&t!="rowSpan"&&t!="colSpan"&&t!="role"&&t!="popover"&&t in e)try{return void(e[t]=n??"")}catch{}if(typeof n=="function")return;n==null||n===!1&&t[4]!="-"?e.removeAttribute(t):e.setAttribute(t,t=="popover"&&n==1?"":n)}}function fp(e){return function(t){var n=this.__e;if(n){if(n=n[e],t[eo]==null)t[eo]=ps++;else if(t[eo]<this.__a[e])return;return n(de.event?de.event(t):t)}}}function ms(e,t,n,o,s,r,a,l,c,d){var u,p,$,f,g,b,C,M,y,S,O,V,j,I,P,q,W,J,re=t.type;if(t.constructor!==gn)return null;128&n.__u&&(c=32&n.__u,u=n.__c.__z)&&(t.__u|=c,p=r=[],u.nodeType==8?l=no(u,r):r.push(u),l=r[0]||l),(u=de.__b)&&u(t);e:if(typeof re=="function"){$=a.length;try{if(M=t.props,y=(u=re.prototype)&&u.render,S=(u=re.contextType)&&o[u.__c],O=u?S?S.props.value:u.__:o,(f=n.__c)?(t.__c=f,2&f.__g&&(f.__g|=1)):(y?t.__c=f=new re(M,O):(t.__c=f=new to(M,O),f.constructor=re,f.render=mp),S&&S.sub(f),f.state||(f.state={}),f.__n=o,f.__g|=8,f.__h=[],f.__k=[]),y&&(f.__s||(f.__s=f.state),re.getDerivedStateFromProps&&(f.__s==f.state&&(f.__s=vt({},f.__s)),vt(f.__s,re.getDerivedStateFromProps(M,f.__s)))),g=f.props,b=f.state,f.__v=t,n.__c){if(M!==g&&y&&!re.getDerivedStateFromProps&&f.componentWillReceiveProps&&f.componentWillReceiveProps(M,O),t.__v==n.__v&&!(8&f.__g)||!(4&f.__g)&&f.shouldComponentUpdate&&f.shouldComponentUpdate(M,f.__s,O)===!1){t.__v!=n.__v&&(f.props=M,f.state=f.__s,f.__g&=-9),t.__e=n.__e,t.__k=n.__k,t.__k.some(function(B){B&&(B.__=t)}),ro.push.apply(f.__h,f.__k),f.__k=[],f.__h.length&&a.push(f),l=lt(n);break e}f.componentWillUpdate&&f.componentWillUpdate(M,f.__s,O),y&&f.componentDidUpdate&&f.__h.push(function(){f.componentDidUpdate(g,b,C)})}else y&&!re.getDerivedStateFromProps&&f.componentWillMount&&f.componentWillMount(),y&&f.componentDidMount&&f.__h.push(f.componentDidMount);f.context=O,f.props=M,f.__P=e,f.__g&=-5,V=de.__r,j=y?25:0;do f.__g&=-9,V&&V(t),u=f.render(f.props,f.state=f.__s,f.context);while(8&f.__g&&++j<25);y&&(ro.push.apply(f.__h,f.__k),f.__k=[]),f.state=f.__s,f.getChildContext&&(o=vt({},o,f.getChildContext())),y&&n.__c&&f.getSnapshotBeforeUpdate&&(C=f.getSnapshotBeforeUpdate(g,b)),I=u&&u.type===ct&&u.key==null?u.props.children:u,M.__P&&(u=l,s=(e=M.__P).namespaceURI,c=r=null,n.props&&n.props.__P!=e&&(n.__k.some(function(B){B&&gs(B,B)}),n.__k=null),l=n.__k?lt(n,0):null),l=hi(e,fs(I)?I:[I],t,n,o,s,r,a,l,c,d),M.__P&&(t.__e=null,l=u),t.__u&=-161,p&&p.some(wt),f.__h.length&&a.push(f),1&f.__g&&(f.__g&=-4)}catch(B){if(a.length=$,t.__v=null,c||r)if(B&&B.then){if(t.__u|=128|c,r){for(~(W=r.indexOf(l||void 0))||(W=r.length);(J=r[W-1])&&J.nodeType==8;)W--;for(;W<r.length;W++)if(J=r[W])if(r[W]=null,P){if(J==q)break}else{if(J.nodeType!=8)break;J.data.startsWith("$s")&&(q=no(P=J))}}if(!P){for(;l&&l.nodeType==8&&l.nextSibling;)l=l.nextSibling;P=l}(u=no(P=t.__c.__z||(t.__c.__z=P)))?(t.__e=P,l=u):t.__e=l,l=l&&l.nextSibling}else r&&r.some(wt);else t.__e=n.__e;t.__k||(t.__k=n.__k||[]),B&&B.then||bi(t),de.__e(B,t,n)}}else l=t.__e=$p(n.__e,t,n,o,s,r,a,c,d,e);return(u=de.diffed)&&u(t),l}function no(e,t){if(e&&e.nodeType==8&&e.data.startsWith("$s"))for(var n=1;e=e.nextSibling;){if(e.nodeType==8){if(e.data.startsWith("$s"))n++;else if(e.data.startsWith("/$s")&&!--n)return e}t&&t.push(e)}}function bi(e){e&&(e.__c&&(e.__c.__g|=4),e.__k&&e.__k.some(bi))}function yi(e,t,n){for(var o=0;o<n.length;)hs(n[o++],n[o++],n[o++]);de.__c&&de.__c(t,e),e.some(function(s){try{e=s.__h,s.__h=[],e.some(function(r){r.call(s)})}catch(r){de.__e(r,s.__v)}})}function $p(e,t,n,o,s,r,a,l,c,d){var u,p,$,f,g,b,C,M,y=n.props||so,S=t.props,O=t.type;if(O=="svg"?s="http://www.w3.org/2000/svg":O=="math"?s="http://www.w3.org/1998/Math/MathML":s||(s="http://www.w3.org/1999/xhtml"),r){for(u=0;u<r.length;u++)if((g=r[u])&&(O?g.localName==O:g.nodeType==3)){e=g,r[u]=null;break}}if(!e){if(M=d.ownerDocument||document,!O)return M.createTextNode(S);e=M.createElementNS(s,O,S.is?S:d),l&&(de.__m&&de.__m(t,r),l=!1),r=null}if(O){if(d=O=="template"&&e.content||e,r=O=="textarea"&&S.defaultValue!=null?null:r&&$s.call(d.childNodes),!l&&r)for(y={},u=0;u<e.attributes.length;u++)y[(g=e.attributes[u]).name]=g.value;for(u in y)g=y[u],u=="dangerouslySetInnerHTML"?$=g:u=="children"||u in S||u=="value"&&"defaultValue"in S||u=="checked"&&"defaultChecked"in S||Zn(e,u,null,g,s);for(u in S)g=S[u],u=="children"?f=g:u=="dangerouslySetInnerHTML"?p=g:u=="value"?b=g:u=="checked"?C=g:l&&typeof g!="function"||y[u]===g||Zn(e,u,g,y[u],s);p?(l||$&&(p.__html==$.__html||p.__html==e.innerHTML)||(e.innerHTML=p.__html),t.__k=[]):($&&(e.textContent=""),(O=="foreignObject"||s=="http://www.w3.org/1998/Math/MathML"&&cp.test(O))&&(s="http://www.w3.org/1999/xhtml"),hi(d,fs(f)?f:[f],t,n,o,s,r,a,r?r[0]:n.__k&&lt(n,0),l,c),r&&r.some(wt)),l&&O!="textarea"||(u="value",O=="progress"&&b==null?e.removeAttribute(u):b==null||b===e[u]&&(O!="progress"||b)||Zn(e,u,b,y[u],s),u="checked",C!=null&&C!=e[u]&&Zn(e,u,C,y[u],s))}else y===S||l&&e.data==S||(e.data=S);return e}function hs(e,t,n,o){try{typeof e=="function"?t?t.__x=e(t)||1:o&&(o=o.__c||o.__e)&&(t=o.__x)&&(o.__x=null,typeof t=="function"?t():e(null)):e.current=t}catch(s){de.__e(s,n)}}function gs(e,t,n){var o,s,r,a;if(de.unmount&&de.unmount(e),!(o=e.ref)||o.current&&o.current!=e.__e||hs(o,null,t,e),o=e.__c){if(o.componentWillUnmount)try{o.componentWillUnmount()}catch(l){de.__e(l,t)}o.__P=o.__n=null}if(o=e.__k)for(a=0;a<o.length;a++)o[a]&&gs(o[a],t,typeof e.type!="function"||n&&!e.props.__P);!n&&(o=e.__c)&&(o=o.__z)&&(s=no(o,r=[]))&&(o==e.__e&&r.some(wt),wt(s),wt(o)),n||wt(e.__e),e.__e=e.__c=e.__=null}function mp(e,t,n){return this.constructor(e,n)}function bs(e,t){var n,o,s,r;de.__&&de.__(e,t),t.nodeType==9&&(t=t.documentElement),o=(n=e&&32&e.__u)?null:t.__k,t.__k=hn(ct,{children:[e]}),s=[],r=[],ms(t,t.__k,o||so,so,t.namespaceURI,o?null:t.firstChild?$s.call(t.childNodes):null,s,o?o.__e:t.firstChild,n,r),yi(s,t.__k,r),t.__k.props.children=null}function ys(e){function t(n){var o,s;return this.getChildContext||(o=new Set,(s={})[t.__c]=this,this.getChildContext=function(){return s},this.shouldComponentUpdate=function(r){this.props.value!=r.value&&o.forEach(function(a){a.__g|=4,us(a)})},this.sub=function(r){o.add(r);var a=r.componentWillUnmount;r.componentWillUnmount=function(){o.delete(r),a&&a.call(r)}}),n.children}return t.__c="__cC"+pi++,t.__=e,t.Provider=(t.Consumer=function(n,o){return n.children(o)}).contextType=t,t}var de,ci,lp,at,cs,oo,di,eo,ui,ps,ds,pi,gn,so,ro,cp,fs,$s,vt,xs=E(()=>{gn=Symbol.for("pv"),so={},ro=[],cp=/^m(i|n|o|s|text|space)$/,fs=Array.isArray,$s=ro.slice,vt=Object.assign;de={__e:function(e,t,n,o){for(var s,r,a;t=t.__;)if((s=t.__c)&&!(1&s.__g)){s.__g|=4;try{if((a=(r=s.constructor)&&r.getDerivedStateFromError)&&s.setState(r.getDerivedStateFromError(e)),s.componentDidCatch&&(s.componentDidCatch(e,o||{}),a=1),a&&8&s.__g)return void(s.__g|=2)}catch(l){e=l}}throw oo=0,e}},ci=0,lp=function(e){return e!=null&&e.constructor===gn},to.prototype.setState=function(e,t){var n=this.__s;n&&n!=this.state||(n=this.__s=vt({},this.state)),typeof e=="function"&&(e=e(vt({},n),this.props)),e&&(vt(n,e),this.__v&&(t&&this.__k.push(t),us(this)))},to.prototype.forceUpdate=function(e){this.__v&&(this.__g|=4,e&&this.__h.push(e),us(this))},to.prototype.render=ct,at=[],oo=0,di=function(e,t){return e.__v.__b-t.__v.__b},eo=Symbol(),ui=/(PointerCapture)$|Capture$/i,ps=0,ds={},pi=0});function wi(e){var t=xi.get(this);return t||(t=new Map,xi.set(this,t)),(t=_i(this,t.get(e)||(t.set(e,t=(function(n){for(var o,s,r=1,a="",l="",c=[0],d=function($){r===1&&($||(a=a.replace(/^\s*\n\s*|\s*\n\s*$/g,"")))?c.push(0,$,a):r===3&&($||a)?(c.push(3,$,a),r=2):r===2&&a==="..."&&$?c.push(4,$,0):r===2&&a&&!$?c.push(5,0,!0,a):r>=5&&((a||!$&&r===5)&&(c.push(r,0,a,s),r=6),$&&(c.push(r,$,0,s),r=6)),a=""},u=0;u<n.length;u++){u&&(r===1&&d(),d(u));for(var p=0;p<n[u].length;p++)o=n[u][p],r===1?o==="<"?(d(),c=[c],r=3):a+=o:r===4?a==="--"&&o===">"?(r=1,a=""):a=o+a[0]:l?o===l?l="":a+=o:o==='"'||o==="'"?l=o:o===">"?(d(),r=1):r&&(o==="="?(r=5,s=a,a=""):o==="/"&&(r<5||n[u][p+1]===">")?(d(),r===3&&(c=c[0]),r=c,(c=c[0]).push(2,0,r),r=0):o===" "||o==="	"||o===`
`||o==="\r"?(d(),r=2):a+=o),r===3&&a==="!--"&&(r=4,c=c[0])}return d(),c})(e)),t),arguments,[])).length>1?t:t[0]}var _i,xi,vi=E(()=>{_i=function(e,t,n,o){var s;t[0]=0;for(var r=1;r<t.length;r++){var a=t[r++],l=t[r]?(t[0]|=a?1:2,n[t[r++]]):t[++r];a===3?o[0]=l:a===4?o[1]=Object.assign(o[1]||{},l):a===5?(o[1]=o[1]||{})[t[++r]]=l:a===6?o[1][t[++r]]+=l+"":a?(s=e.apply(l,_i(e,l,n,["",null])),o.push(s),l[0]?t[0]|=2:(t[r-2]=0,t[r]=s)):o.push(l)}return o},xi=new Map});function kt(e,t){ge.__h&&ge.__h(pe,e,yn||t),yn=0;var n=pe.__H||(pe.__H={__:[],__h:[]});return e>=n.__.length&&n.__.push({}),n.__[e]}function h(e){return yn=1,Ht(Li,e)}function Ht(e,t,n){var o=kt(ot++,2);if(o.t=e,!o.__c&&(o.__=[n?n(t):Li(void 0,t),function(r){var a=(o.__N||o.__)[0],l=o.t(a,r);ws(a,l)||(o.__N=[l,o.__[1]],o.__c.setState({}))}],o.__c=pe,!pe.__f)){pe.__f=!0;var s=pe.shouldComponentUpdate;pe.shouldComponentUpdate=function(r,a,l){var c=this.__H;if(!c)return!0;var d=!1,u=this.props!=r;if(c.__.some(function($){$.__N&&(d=!0,ws($.__[0],$.__N[0])||(u=!0))}),s){var p=s.call(this,r,a,l);return d?p||u:p}return!d||u}}return o.__}function _(e,t){var n=kt(ot++,3);!ge.__s&&Ts(n.__H,t)&&(n.__P=!0,n.__=e,n.u=t,pe.__H.__h.push(n))}function ke(e,t){var n=kt(ot++,4);!ge.__s&&Ts(n.__H,t)&&(n.__P=!1,n.__=e,n.u=t,pe.__h.push(n))}function A(e){return yn=5,le(function(){return{current:e}},[])}function le(e,t){var n=kt(ot++,7);return Ts(n.__H,t)&&(n.__=e(),n.__H=t),n.__}function ye(e,t){return yn=8,le(function(){return e},t)}function Ss(e){var t=pe.context[e.__c],n=kt(ot++,9);return n.c=e,t?(n.__==null&&(n.__=!0,t.sub(pe)),t.props.value):e.__}function Es(e){var t=kt(ot++,10),n=h();return t.__=e,pe.componentDidCatch||(pe.componentDidCatch=function(o,s){t.__&&t.__(o,s),n[1](o)}),[n[0],function(){return n[1]()}]}function Me(){var e=kt(ot++,11);if(!e.__){for(var t=pe.__v;!t.__m&&t.__;)t=t.__;var n=t.__m||(t.__m=[0,0]);e.__="P"+n[0]+"-"+n[1]++}return e.__}function hp(){var e;do{for(;e=vs.shift();)try{bn(e)}catch(n){ge.__e(n,{__:(e=e.__P)&&e.__v})}for(;e=Ni.shift();){var t=e.__H;if(e.__P&&t)try{t.__h.some(bn),t.__h.some(ks),t.__h=[]}catch(n){t.__h=[],ge.__e(n,e.__v)}}}while(vs.length)}function gp(e){var t,n=function(){clearTimeout(o),Oi&&cancelAnimationFrame(t),setTimeout(e)},o=setTimeout(n,35);Oi&&(t=requestAnimationFrame(n))}function Ii(e){e!=1&&ki==ge.requestAnimationFrame||((ki=ge.requestAnimationFrame)||gp)(hp)}function bn(e){var t=pe,n=e.__c;typeof n=="function"&&(e.__c=void 0,n()),pe=t}function ks(e){var t=pe;e.__c=e.__(),pe=t}function Ts(e,t){return!e||e.length!=t.length||t.some(function(n,o){return!ws(n,e[o])})}function Li(e,t){return typeof t=="function"?t(e):t}var ot,pe,_s,ki,ws,yn,Ni,vs,ge,Si,Ei,Ti,Mi,Ci,Ai,Oi,Ri=E(()=>{xs();ws=Object.is,yn=0,Ni=[],vs=[],ge=de,Si=ge.__b,Ei=ge.__r,Ti=ge.diffed,Mi=ge.__c,Ci=ge.unmount,Ai=ge.__;ge.__b=function(e){pe=null,Si&&Si(e)},ge.__=function(e,t){e&&t.__k&&t.__k.__m&&(e.__m=t.__k.__m),Ai&&Ai(e,t)},ge.__r=function(e){Ei&&Ei(e),ot=0;var t=(pe=e.__c).__H;t&&(_s==pe?pe.__h=[]:(t.__h.some(bn),t.__h.some(ks),ot=0),t.__h=[],t.__.some(function(n){n.__N&&(n.__=n.__N),n.u=n.__N=void 0})),_s=pe},ge.diffed=function(e){Ti&&Ti(e);var t=e.__c;t&&t.__H&&(t.__H.__h.length&&Ii(Ni.push(t)),t.__H.__.some(function(n){n.u&&(n.__H=n.u)})),_s=pe=null},ge.__c=function(e,t){t.some(function(n){try{n.__h.some(bn),n.__h=n.__h.filter(function(o){return!o.__||ks(o)})}catch(o){n.__h=[function(){throw o}]}}),Mi&&Mi(e,t)},ge.unmount=function(e){Ci&&Ci(e);var t,n,o=e.__c;o&&o.__H&&(o.__H.__.some(function(s){try{if(s.__P&&s.__c){if(n===void 0){for(n=e.__;n&&(!n.__c||!n.__c.__P);)n=n.__;n=n&&n.__c}s.__P=n,Ii(vs.push(s))}else bn(s)}catch(r){t=r}}),o.__H=void 0,t&&ge.__e(t,o.__v))};Oi=typeof requestAnimationFrame=="function"});var i,ee,v=E(()=>{xs();vi();Ri();i=wi.bind(fi),ee=(...e)=>e.filter(Boolean).join(" ")});function Ms(){let e=document.activeElement?.closest("main a[href]"),t=[...document.querySelectorAll(Di)];return{top:window.scrollY,scrolls:new Map(t.filter(n=>n.scrollTop>0).map(n=>[n.ariaLabel??"",n.scrollTop])),href:e?.getAttribute("href")??""}}function Pi(e){xn();let t=performance.now()+3e3,n=0,o=["wheel","touchstart","keydown","pointerdown"];xn=()=>{cancelAnimationFrame(n);for(let r of o)window.removeEventListener(r,xn)};let s=()=>{[bp(e.top),...[...e.scrolls].map(([a,l])=>yp(a,l))].every(Boolean)&&xp(e.href)||performance.now()>t?xn():n=requestAnimationFrame(s)};for(let r of o)window.addEventListener(r,xn,{passive:!0});n=requestAnimationFrame(s)}function bp(e){return Math.abs(window.scrollY-e)>1&&window.scrollTo(0,e),Math.abs(window.scrollY-e)<=1}function yp(e,t){let o=[...document.querySelectorAll(Di)].find(s=>s.ariaLabel===e);return o&&Math.abs(o.scrollTop-t)>1&&(o.scrollTop=t),!!o&&Math.abs(o.scrollTop-t)<=1}function xp(e){if(!e)return!0;let n=[...document.querySelectorAll("main a[href]")].find(o=>o.getAttribute("href")===e);return n?.focus({preventScroll:!0}),!!n}var Di,xn,ji=E(()=>{Di="main .virtual, main .table-scroll";xn=()=>{}});function qi(){return{path:location.pathname,query:new URLSearchParams(location.search)}}function Bi(){St=qi();for(let e of As)e(St)}function zi(){let[e,t]=h(St);return _(()=>(As.add(t),t(St),()=>As.delete(t)),[]),e}function x(e,t={}){let[n,o]=e.split("?"),s=new URLSearchParams(o),r=t instanceof URLSearchParams?[...t]:Object.entries(t);for(let[l,c]of r)c===""||c===null||c===void 0||c===!1?s.delete(l):s.set(l,String(c));Z()&&!s.has(Cs)&&s.set(Cs,Z());let a=_p(s);return a?`${n}?${a}`:n}function _p(e){return e.toString().replaceAll("%3A",":").replaceAll("%2C",",").replaceAll("%2F","/")}function ce(e,{replace:t=!1}={}){let n=x(e);if(n===location.pathname+location.search)return;let o=n.split("?")[0]!==location.pathname;t||(Os.set(Ut,Ms()),Ut=String(Math.random())),history[t?"replaceState":"pushState"]({key:Ut},"",n),Bi(),o&&window.scrollTo(0,0)}function X(e,t){ce(x(St.path+location.search,e),t)}function Hi(e,t){let n=e.split("/"),o=t.replace(/(.)\/$/,"$1").split("/");if(n.length!==o.length)return null;let s={};for(let r=0;r<n.length;r+=1)if(n[r].startsWith(":"))s[n[r].slice(1)]=wp(o[r]);else if(n[r]!==o[r])return null;return s}function wp(e){try{return decodeURIComponent(e)}catch{return e}}function vp(e){Os.set(Ut,Ms()),Ut=e.state?.key??"",Bi();let t=Os.get(Ut);t&&Pi(t)}function Ui(){window.addEventListener("popstate",vp),document.addEventListener("click",kp)}function kp(e){let t=e.target instanceof Element?e.target.closest("a[href]"):null;if(!(t instanceof HTMLAnchorElement)||e.defaultPrevented||e.button!==0||e.metaKey||e.ctrlKey||e.shiftKey||e.altKey||t.target||t.hasAttribute("download")||t.dataset.native!==void 0)return;let n=new URL(t.href);n.origin!==location.origin||n.hash||n.pathname==="/logout"||(e.preventDefault(),ce(n.pathname+n.search))}var Cs,As,St,Os,Ut,Fi,Z,Se,U=E(()=>{v();ji();Cs="journal",As=new Set,St=qi(),Os=new Map,Ut=history.state?.key??"";Fi=()=>St,Z=()=>St.query.get(Cs)||"",Se=()=>Z().startsWith("import-")});function _n(e){try{return JSON.parse(localStorage.getItem(e)||"{}").fields||{}}catch{return{}}}function Is(e,t){try{localStorage.setItem(e,JSON.stringify({at:Date.now(),fields:t}))}catch{}}function Ns(e){try{localStorage.removeItem(e)}catch{}}function ao(e=!1){for(let t of Object.keys(localStorage).filter(n=>n.startsWith(Wi))){let{at:n=0}=JSON.parse(localStorage.getItem(t)||"{}");(e||Date.now()-n>Sp)&&localStorage.removeItem(t)}}function lo(e,t){let[n,o]=h(()=>({...t,..._n(e)}));return[n,r=>{o(a=>({...a,...r})),Is(e,{..._n(e),...r})},()=>Ns(e)]}var Wi,Sp,io,Wt=E(()=>{v();U();Wi="tallystick.draft.",Sp=30*864e5,io=(...e)=>Wi+JSON.stringify([Z(),...e])});function $e(e,t="plain"){let n=Tp+=1;Gi([...co,{id:n,text:e,tone:t}]),setTimeout(()=>Gi(co.filter(o=>o.id!==n)),Ep)}function Gi(e){co=e;for(let t of Ls)t(e)}function Rs(){let[e,t]=h(co);return _(()=>(Ls.add(t),()=>{Ls.delete(t)}),[]),i`<div class="toasts" role="status" aria-live="polite">
    ${e.map(n=>i`<p key=${n.id} class=${`toast tone-${n.tone}`}>${n.text}</p>`)}
  </div>`}var Ep,co,Tp,Ls,Kt=E(()=>{v();Ep=5e3,co=[],Tp=0,Ls=new Set});function fe(e,t){let n=A({group:e,keys:{}});n.current={group:e,keys:Ap(t)},_(()=>(Et.push(n),Yi(),()=>{Et.splice(Et.indexOf(n),1),Yi()}),[])}function Yi(){for(let e of js)e(Symbol("keys"))}function Ap(e){return Object.fromEntries(Object.entries(e).filter(([,t])=>t))}function Zi(){let[,e]=h(null);return _(()=>(js.add(e),()=>{js.delete(e)}),[]),Op()}function Op(){let e=new Map;for(let{current:t}of Et){let n=e.get(t.group)||{};for(let[o,s]of Object.entries(t.keys))n[o]=s.label;e.set(t.group,n)}return[...e].map(([t,n])=>({group:t,keys:Object.entries(n)}))}function ea(){let[e,t]=h(uo);return _(()=>(Ps.add(t),()=>{Ps.delete(t)}),[]),e}function Ds(e){uo=e;for(let t of Ps)t(e)}function kn(e){let t=e.target;return t instanceof HTMLElement&&(t.isContentEditable||t.matches("input:not([type=checkbox]):not([type=radio]), textarea, select"))}function Ip(e){return e.target instanceof HTMLElement&&e.target.matches("a[href], button, summary, input, [role=option]")}function Xi(e){for(let t=Et.length-1;t>=0;t-=1){let n=Et[t].current.keys[e];if(n)return n}return null}function ta(){document.addEventListener("keydown",Np,!0),document.addEventListener("keyup",e=>vn&&!kn(e)&&e.key===" "&&e.preventDefault(),!0),document.addEventListener("pointerdown",()=>vn=!1,!0),document.addEventListener("keydown",Lp)}function Np(e){if(kn(e)&&(vn=Qi(e),wn=0),!vn||kn(e))return;wn>0&&e.timeStamp-wn>Cp||e.key==="Tab"||e.key==="Escape"?vn=!1:(Qi(e)||e.key==="Enter")&&(e.preventDefault(),e.stopPropagation(),wn||$e("The field in which you typed is gone. Shortcuts wait until you stop typing."),wn=e.timeStamp)}function Qi({key:e,target:t,ctrlKey:n,metaKey:o}){return e==="Enter"?t instanceof HTMLTextAreaElement&&!n&&!o:e.length===1&&!n&&!o||e==="Backspace"||e==="Dead"||e==="Process"}function Lp(e){if(e.defaultPrevented||e.isComposing||e.altKey)return;let t=(e.metaKey||e.ctrlKey?"Ctrl+":"")+(e.key===" "?"Space":e.key);if((t==="Enter"||t==="Space")&&Ip(e))return;let n=uo&&Xi(`${uo} ${t}`)||Xi(t);if(clearTimeout(Ji),n&&(!kn(e)||n.typing)){Ds(""),e.preventDefault(),n.run(e);return}let o=r=>r.startsWith(`${t} `),s=!kn(e)&&Et.some(({current:r})=>Object.keys(r.keys).some(o));Ds(s?t:""),s&&(Ji=setTimeout(()=>Ds(""),Mp))}var Mp,Cp,Et,uo,Ji,Ps,js,vn,wn,Ae=E(()=>{v();Kt();Mp=900,Cp=1500,Et=[],uo="",Ji=0,Ps=new Set,js=new Set;vn=!1,wn=0});function na(e){let t=Number(e);return String(t)===e?t:new Ee(e)}var Ee,dt=E(()=>{Ee=class{constructor(t){this.source=t,Object.freeze(this)}toString(){return this.source}valueOf(){return Number(this.source)}}});function Sn(e){return Rp.test(e)?zs(e):JSON.parse(e)}function zs(e){let t=new Bs(e),n=t.value();if(t.at<e.length)throw new Tt("This is not JSON yet",t.at);return n}var Rp,qs,oa,Dp,Tt,Bs,po=E(()=>{dt();Rp=/(?:^|[\s[:,])-?(?:\d{16,}|\d+\.\d+(?:[eE][-+]?\d+)?|\d+[eE][-+]?\d+|(?<=-)0)(?=[\s,\]}]|$)/,qs=/[ \t\n\r]*/y,oa=/-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?/y,Dp=[["true",!0],["false",!1],["null",null]];Tt=class extends SyntaxError{constructor(t,n){super(t),this.at=n}},Bs=class{constructor(t){this.text=t,this.at=0,this.space()}value(){let t=this.text[this.at];if(t==="{")return this.object();if(t==="[")return this.array();if(t==='"')return this.string();oa.lastIndex=this.at;let n=oa.exec(this.text);if(n)return this.past(n[0].length),na(n[0]);for(let[o,s]of Dp)if(this.text.startsWith(o,this.at))return this.past(o.length),s;return this.wrong()}object(){let t={};if(this.past(1),this.took("}"))return t;do{let n=this.at;this.text[n]!=='"'&&this.wrong();let o=this.string();if(Object.hasOwn(t,o))throw new Tt(`The name ${JSON.stringify(o)} appears twice`,n);this.took(":")||this.wrong();let s=this.value();o==="__proto__"?Object.defineProperty(t,o,{value:s,enumerable:!0,configurable:!0,writable:!0}):t[o]=s}while(this.took(","));return this.took("}")?t:this.wrong()}array(){let t=[];if(this.past(1),this.took("]"))return t;do t.push(this.value());while(this.took(","));return this.took("]")?t:this.wrong()}string(){let t=this.at;do t=this.text.indexOf('"',t+1);while(t>0&&this.#e(t));if(t<0)return this.wrong();try{let n=JSON.parse(this.text.slice(this.at,t+1));return this.past(t+1-this.at),n}catch{return this.wrong()}}#e(t){let n=t;for(;this.text[n-1]==="\\";)n-=1;return(t-n)%2===1}took(t){return this.text[this.at]!==t?!1:(this.past(1),!0)}past(t){this.at+=t,this.space()}space(){this.text.charCodeAt(this.at)>32||(qs.lastIndex=this.at,qs.test(this.text),this.at=qs.lastIndex)}wrong(){throw new Tt("This is not JSON yet",this.at)}}});function se(e,{indent:t=0,sorted:n=!1}={}){return sa(e,t?`
`:""," ".repeat(t),n)}function sa(e,t,n,o){if(e instanceof Ee)return e.source;if(typeof e!="object"||e===null)return JSON.stringify(e)??"null";let s=c=>sa(c,t&&t+n,n,o),[r,a]=Array.isArray(e)?"[]":"{}",l=Array.isArray(e)?e.map(s):Pp(e,o).map(c=>`${JSON.stringify(c)}:${t&&" "}${s(e[c])}`);return l.length?r+l.map(c=>(t&&t+n)+c).join(",")+t+a:r+a}function Pp(e,t){let n=Object.keys(e).filter(o=>e[o]!==void 0);return t?n.sort():n}var Le=E(()=>{dt()});function Us(){return Fs??=fetch("/session",{credentials:"same-origin"}).then(e=>e.ok?e.json():fo).catch(()=>fo).then(e=>({...fo,...e})),Fs}async function ut(){Fs=null;let e=await Us();for(let t of Hs)t(e);return e}function Oe(){let[e,t]=h(fo);return _(()=>(Hs.add(t),Us().then(t),()=>Hs.delete(t)),[]),e}var fo,Fs,Hs,ra,ze=E(()=>{v();fo={person:!1,name:"",journal:"",scopes:[],csrf:"",may_decide:!1,version:"",needs_login:!1},Fs=null,Hs=new Set;ra=async()=>(await Us()).csrf});function T(e,t={},{signal:n,accept:o}={}){return ia(mo(e,t),o?{signal:n,headers:{Accept:o}}:{signal:n})}async function Te(e,t={},{key:n,params:o={}}={}){let s=typeof t=="string"?t:se(t),r={"Content-Type":typeof t=="string"?"application/x-ndjson":"application/json"},a=await ra();return a&&Object.assign(r,{"Tallystick-CSRF":a}),n&&Object.assign(r,{"Idempotency-Key":n}),ia(mo(e,o),{method:"POST",headers:r,body:s})}function mo(e,t={}){let n=new URLSearchParams;for(let[s,r]of Object.entries(t))for(let a of Array.isArray(r)?r:[r])a!==""&&a!==null&&a!==void 0&&a!==!1&&n.append(s,String(a));Z()&&!n.has("journal")&&n.set("journal",Z());let o=n.toString();return o?`${e}?${o}`:e}async function ia(e,t){let n=await fetch(e,{credentials:"same-origin",...t}).catch(s=>{throw s.name==="AbortError"?s:new $o({detail:"The server cannot be reached.",hint:"Is `tallystick serve` still running?"})});if(n.ok)return n.status===204?null:Sn(await n.text());n.status===401&&!e.startsWith("/login")&&location.pathname!=="/login"&&location.assign(`/login?next=${encodeURIComponent(location.pathname+location.search)}`);let o=await n.text().then(Sn).catch(()=>({title:n.statusText}));throw new $o({status:n.status,...o})}var $o,G=E(()=>{po();Le();U();ze();$o=class extends Error{constructor(t){super(t.detail||t.title||"The server did not answer."),this.name="Problem",this.title=t.title||"",this.status=t.status||0,this.code=t.code||"",this.hint=t.hint||"",this.field=t.field||""}}});function aa(e,t,n){return navigator.locks?jp(e,t):qp(t,n)}function jp(e,t){let n=new AbortController,o=()=>{},s=()=>new Promise(r=>(o=r,t()));return navigator.locks.request(e,{signal:n.signal},s).catch(()=>{}),()=>(n.abort(),o())}function qp(e,t){let n=0,o=()=>{clearTimeout(n),document.hidden?n=setTimeout(t,5e3):e()};return document.addEventListener("visibilitychange",o),o(),()=>(clearTimeout(n),document.removeEventListener("visibilitychange",o))}var la=E(()=>{});function Up(e){if(e!==Mt){Mt=e;for(let t of Ks)t(e)}}function pa(){ca(),Vt?.close(),Vs(),Gt=0;let e=`tallystick ${Z()}`;Vt=new BroadcastChannel(e),Vt.addEventListener("message",t=>fa(t.data)),Vt.postMessage({asks:ua}),ca=aa(e,()=>pt||Gs(),Vs)}function Vs(){pt?.close(),pt=null}function Gs(){Vs();let e=new EventSource(mo("/events",Gt?{after:Gt}:{}));pt=e,e.addEventListener("open",()=>{ho=da,En({state:"live",reset:!0})}),e.addEventListener("error",()=>{En({state:e.readyState===EventSource.CLOSED?"offline":"connecting"}),!(e.readyState!==EventSource.CLOSED||pt!==e)&&(setTimeout(()=>pt===e&&Gs(),ho),ho=Math.min(ho*2,Hp))});let t=n=>Number(n.lastEventId)||0;for(let n of Bp)e.addEventListener(n,o=>En({seq:t(o),entry:o.data}));e.addEventListener("caught_up",n=>En({seq:t(n)})),e.addEventListener("shorter",n=>En({seq:t(n),shorter:!0,reset:!0}))}function En(e){fa(e),Vt?.postMessage(e)}function fa({asks:e,to:t,state:n,reset:o,seq:s,shorter:r,entry:a}){if(t&&t!==ua)return;e&&pt&&Vt?.postMessage({to:e,state:Mt,reset:Mt==="live",seq:Gt}),s!==void 0&&(Gt=r?s:Math.max(Gt,s)),n&&Up(n);let l=a===void 0?null:Sn(a);if(o||l)for(let c of Ws)c(l)}function $a(){window.addEventListener("online",()=>pt&&Mt!=="live"&&Gs())}function Re(e){let t=A(e);t.current=e,_(()=>{let n=o=>t.current(o);return Ws.add(n),()=>{Ws.delete(n)}},[])}function ma(){let[e,t]=h(Mt);return _(()=>(Ks.add(t),t(Mt),()=>{Ks.delete(t)}),[]),e}function D(e,t){let[n,o]=h({data:null,problem:null,loading:!0}),s=A({keys:e,load:t});s.current={keys:e,load:t};let r=A({timer:0,abort:null,busy:!1,next:0,due:!1}).current,a=ye(async()=>{clearTimeout(r.timer),r.timer=0,r.abort?.abort();let c=new AbortController;r.abort=c,r.busy=!0,r.due=!1;let d=performance.now();try{let u=await s.current.load(c.signal);c.signal.aborted||o({data:u,problem:null,loading:!1})}catch(u){c.signal.aborted||o(p=>({...p,problem:u,loading:!1}))}c.signal.aborted||(r.busy=!1,r.next=performance.now()+Fp*(performance.now()-d),r.due&&l())},[]),l=ye(()=>{r.due=!0,!(r.busy||r.timer||document.hidden||s.current.keys.paused)&&(r.timer=setTimeout(a,Math.max(zp,r.next-performance.now())))},[]);return Re(c=>{(c===null||Wp(c,s.current.keys))&&l()}),ke(()=>{o({data:null,problem:null,loading:!0}),a()},e.by||[]),_(()=>{let c=()=>!document.hidden&&r.due&&l();return document.addEventListener("visibilitychange",c),()=>{document.removeEventListener("visibilitychange",c),clearTimeout(r.timer),r.abort?.abort()}},[]),_(()=>{!e.paused&&r.due&&l()},[e.paused]),{...n,reload:a}}function Wp(e,{kinds:t,execution:n}){return e.kind==="body_erased"?!0:n&&e.execution_id!==n&&e.id!==n?!1:!t||t.some(o=>e.kind===o||o.endsWith("_")&&e.kind.startsWith(o))}var Bp,zp,Fp,Hp,da,Ws,Ks,ua,pt,Vt,ca,Mt,Gt,ho,te=E(()=>{G();v();po();la();U();Bp=["plan_recorded","plan_retired","task_recorded","session_opened","session_ended","session_noted","execution_started","execution_ended","action_begun","action_ended","action_doubted","action_noted","decision_recorded","context_recorded","approval_requested","approval_decided","body_erased","credential_added","credential_revoked","alert_silenced","webhook_added","webhook_rotated","webhook_tested","webhook_replayed","webhook_removed","unreadable"],zp=30,Fp=2,Hp=15e3,da=500,Ws=new Set,Ks=new Set,ua=String(Math.random()),pt=null,Vt=null,ca=()=>{},Mt="connecting",Gt=0,ho=da});function k({name:e,label:t="",size:n=16}){let o=ha[e]||ha.planned;return i`
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
      ${o.map(s=>s.startsWith("f:")?i`<path d=${s.slice(2)} fill="currentColor" />`:i`<path d=${s} fill="none" stroke="currentColor" />`)}
    </svg>
  `}function go({size:e=20}){return i`
    <svg class="mark" width=${e} height=${e} viewBox="0 0 20 20" aria-hidden="true" focusable="false">
      <path class="mark-half" d="M3 1.5h6v17H3z" />
      <path class="mark-half mark-other" d="M11 1.5h6v17h-6z" />
      <path class="mark-notch" d="M3 5.4h6M3 8.5h6M3 11.6h6M3 14.7h6M11 5.4h6M11 8.5h6M11 11.6h6M11 14.7h6" />
    </svg>
  `}var ha,oe=E(()=>{v();ha={running:["M8 1.75a6.25 6.25 0 1 1-4.42 1.83","f:M6.5 5.4v5.2L10.7 8z"],completed:["M8 1.75a6.25 6.25 0 1 1 0 12.5 6.25 6.25 0 0 1 0-12.5z","M5.2 8.2l2 2 3.7-4.2"],failed:["M5.4 1.75h5.2l3.65 3.65v5.2l-3.65 3.65H5.4L1.75 10.6V5.4z","M5.9 5.9l4.2 4.2M10.1 5.9l-4.2 4.2"],cancelled:["M8 1.75a6.25 6.25 0 1 1 0 12.5 6.25 6.25 0 0 1 0-12.5z","M3.7 12.3l8.6-8.6"],paused:["M8 1.75a6.25 6.25 0 1 1 0 12.5 6.25 6.25 0 0 1 0-12.5z","M6.4 5.6v4.8M9.6 5.6v4.8"],blocked:["M8 2a2.6 2.6 0 1 1 0 5.2A2.6 2.6 0 0 1 8 2z","M2.9 14c.3-2.9 2.3-4.6 5.1-4.6 1 0 1.9.2 2.7.6","M12.6 9.6v2.6l1.5 1"],unwinding:["M3 5.5h6.4a3.85 3.85 0 1 1 0 7.7H5","M5.8 2.6L2.9 5.5l2.9 2.9"],in_doubt:["M8 1.4L14.6 8 8 14.6 1.4 8z","M6.5 6.5c.1-1 .7-1.5 1.6-1.5.9 0 1.5.5 1.5 1.3 0 1.2-1.6 1.2-1.6 2.5","f:M7.3 10.3h1.4v1.3H7.3z"],skipped:["M2.5 4l5 4-5 4z","M8.5 4l5 4-5 4z"],planned:["M8 1.75a6.25 6.25 0 0 1 3.1.8M13.4 4.9a6.25 6.25 0 0 1 .8 3.1M13.4 11.1a6.25 6.25 0 0 1-2.3 2.3M8 14.25a6.25 6.25 0 0 1-3.1-.8M2.6 11.1A6.25 6.25 0 0 1 1.75 8M2.6 4.9a6.25 6.25 0 0 1 2.3-2.3"],unplanned:["M8 1.75a6.25 6.25 0 1 1 0 12.5 6.25 6.25 0 0 1 0-12.5z","M8 5.2v5.6M5.2 8h5.6"],owed:["M3 8h10","M6 4.5L2.5 8 6 11.5","M13.5 3v10"],late:["M8 1.75a6.25 6.25 0 1 1 0 12.5 6.25 6.25 0 0 1 0-12.5z","M8 4.6V8l2.4 1.6"],home:["M2.5 7.5L8 2.8l5.5 4.7","M4 6.5v7h8v-7"],executions:["M2.5 3.5h11M2.5 8h7M2.5 12.5h9"],approvals:["M2.5 9.5v3a1 1 0 0 0 1 1h9a1 1 0 0 0 1-1v-3","M2.5 9.5h3l1 1.8h3l1-1.8h3L11.6 3H4.4z"],plans:["M2 3h3v3H2zM11 2h3v3h-3zM11 11h3v3h-3z","M5 4.5h3.2v8H11M8.2 3.6H11"],context:["M3 2.5h7.5L13 5v8.5H3z","M5.5 6.5h5M5.5 9h5M5.5 11.5h3"],stats:["M2.5 13.5h11","M4.5 11V8M8 11V3.5M11.5 11V6"],compare:["M6.5 2.5h-4v11h4M9.5 2.5h4v11h-4","M8 1.5v13"],replay:["M3.2 6A5.3 5.3 0 1 1 2.7 8.6","M2.6 2.8L3.1 6l3.2-.5"],import:["M8 2v7.5M5 6.7l3 3 3-3","M2.5 10.5v3h11v-3"],export:["M8 9.8V2.2M5 5l3-3 3 3","M2.5 10.5v3h11v-3"],journal:["M4 1.75h8.5v12.5H4a1.5 1.5 0 0 1 0-3h8.5M2.5 12.7V3.25A1.5 1.5 0 0 1 4 1.75","M5.7 5h4"],timeline:["M2 3.5h5M5 8h7M8.5 12.5H14"],graph:["M8 1.8v3M8 4.8H3.8v3M8 4.8h4.2v3","M2.2 7.8h3.2V11H2.2zM10.6 7.8h3.2V11h-3.2z"],table:["M2 3h12v10H2zM2 6.5h12M2 9.8h12M6.2 6.5V13"],coverage:["M1.5 8C3 5 5.3 3.5 8 3.5S13 5 14.5 8C13 11 10.7 12.5 8 12.5S3 11 1.5 8z","M8 6.2a1.8 1.8 0 1 1 0 3.6 1.8 1.8 0 0 1 0-3.6z"],agent:["M3 5.5h10v7H3zM8 5.5V3","f:M7.2 1.6h1.6v1.6H7.2z","M6 8.3v1.4M10 8.3v1.4"],person:["M8 2a2.8 2.8 0 1 1 0 5.6A2.8 2.8 0 0 1 8 2z","M2.8 14c.4-3 2.4-4.7 5.2-4.7s4.8 1.7 5.2 4.7"],observed:["M1.5 8C3 5 5.3 3.5 8 3.5S13 5 14.5 8C13 11 10.7 12.5 8 12.5S3 11 1.5 8z","f:M8 6a2 2 0 1 1 0 4 2 2 0 0 1 0-4z"],claimed:["M2.5 3h11v7.5H8L5 13v-2.5H2.5z"],search:["M7 2.5a4.5 4.5 0 1 1 0 9 4.5 4.5 0 0 1 0-9z","M10.3 10.3l3.4 3.4"],filter:["M2 3.5h12L9.5 8.8v4L6.5 14V8.8z"],copy:["M5.5 5.5h8v8h-8z","M10.5 5.5v-3h-8v8h3"],check:["M3 8.5l3.2 3.2L13 4.6"],close:["M4 4l8 8M12 4l-8 8"],left:["M10 3.5L5.5 8l4.5 4.5"],right:["M6 3.5L10.5 8 6 12.5"],down:["M3.5 6L8 10.5 12.5 6"],up:["M3.5 10L8 5.5 12.5 10"],first:["M3 3v10","M13 8H6.5M9.3 5L6.3 8l3 3"],follow:["M8 2.5v8.5M4.5 7.8L8 11.3l3.5-3.5","M3 14h10"],link:["M6.7 9.3l2.6-2.6","M7.3 4.7l1.4-1.4a2.8 2.8 0 0 1 4 4l-1.4 1.4M8.7 11.3l-1.4 1.4a2.8 2.8 0 0 1-4-4l1.4-1.4"],save:["M3.5 2.5h9v11L8 10.2 3.5 13.5z"],more:["f:M2.6 7h2v2h-2zM7 7h2v2H7zM11.4 7h2v2h-2z"],settings:["M2 4.5h6M11.5 4.5H14M2 11.5h2.5M8 11.5h6","M9.75 2.75a1.75 1.75 0 1 1 0 3.5 1.75 1.75 0 0 1 0-3.5z","M6.25 9.75a1.75 1.75 0 1 1 0 3.5 1.75 1.75 0 0 1 0-3.5z"],zoomin:["M7 2.5a4.5 4.5 0 1 1 0 9 4.5 4.5 0 0 1 0-9z","M10.3 10.3l3.4 3.4M7 5v4M5 7h4"],zoomout:["M7 2.5a4.5 4.5 0 1 1 0 9 4.5 4.5 0 0 1 0-9z","M10.3 10.3l3.4 3.4M5 7h4"],fit:["M2 5V2h3M11 2h3v3M14 11v3h-3M5 14H2v-3"],warning:["M8 2L14.5 13.5h-13z","M8 6.5v3","f:M7.3 10.7h1.4V12H7.3z"],live:["f:M8 5.5a2.5 2.5 0 1 1 0 5 2.5 2.5 0 0 1 0-5z"],offline:["M8 5.5a2.5 2.5 0 1 1 0 5 2.5 2.5 0 0 1 0-5z"],group:["M2.5 3h11M5 6.5h8.5M2.5 10h11M5 13.5h8.5"],edit:["M2.8 13.2l.6-2.8 7.4-7.4 2.2 2.2-7.4 7.4z"],reply:["M6.5 4L2.5 8l4 4","M2.5 8h6.8c2.4 0 4.2 1.6 4.2 4.5"],bell:["M3.5 11.5h9l-1.2-1.8V7a3.3 3.3 0 0 0-6.6 0v2.7z","M6.7 13.7h2.6"],keyboard:["M1.5 4h13v8h-13z","M4 6.7h.01M6.7 6.7h.01M9.3 6.7h.01M12 6.7h.01M5.5 9.5h5"]}});function Ct(e){let[t,n,o]=Kp[e]||["idle","planned",e];return{tone:t,icon:n,word:o}}function K({state:e,word:t,quiet:n=!1}){let{tone:o,icon:s,word:r}=Ct(e);return i`<span class=${ee("status",`tone-${o}`,n&&"status-quiet")}>
    <${k} name=${s} /><span>${t||r}</span>
  </span>`}function ne({tone:e="plain",icon:t,title:n,children:o}){return i`<span class=${`badge tone-${e}`} title=${n}>
    ${t&&i`<${k} name=${t} size=${14} />`}<span>${o}</span>
  </span>`}function Qe({witness:e}){let t=e==="observed";return i`<span class=${`witness witness-${t?"observed":"claimed"}`} title=${t?"A hook, gateway or runner saw it":"The agent reported it"}>
    <${k} name=${t?"observed":"claimed"} size=${14} /><span>${e}</span>
  </span>`}var Kp,At,Js=E(()=>{v();oe();Kp={running:["running","running","running"],open:["running","running","running"],paused:["idle","paused","paused"],blocked:["waiting","blocked","waiting for a person"],unwinding:["undo","unwinding","unwinding"],interrupted:["doubt","warning","interrupted"],waiting:["waiting","blocked","waiting for a person"],completed:["ok","completed","completed"],done:["ok","completed","done"],ok:["ok","completed","ok"],failed:["failed","failed","failed"],cancelled:["idle","cancelled","cancelled"],closed:["idle","check","closed"],skipped:["idle","skipped","skipped"],planned:["idle","planned","planned"],in_doubt:["doubt","in_doubt","in doubt"],doubted:["doubt","in_doubt","in doubt"],unknown:["doubt","in_doubt","in doubt"],unplanned:["plain","unplanned","unplanned"],not_undone:["undo","owed","not undone"],undoing:["running","unwinding","being undone"],partly:["doubt","owed","partly undone"],undone:["undo","unwinding","undone"],kept:["ok","check","kept"],not_possible:["idle","cancelled","cannot be undone"],may_be_undo:["plain","unplanned","may be an undo"],pending:["waiting","blocked","pending"],expired:["idle","late","expired"],approve:["ok","completed","accepted"],edit:["ok","edit","accepted with changes"],reject:["failed","failed","rejected"],respond:["ok","reply","answered"],used:["idle","check","used"],active:["ok","plans","active"],superseded:["idle","late","superseded"],archived:["idle","save","archived"],disabled:["failed","failed","disabled"]};At=e=>e.interrupted?"interrupted":e.only_waits?"waiting":e.status});function w({kind:e="plain",icon:t,label:n,pressed:o,disabled:s=!1,type:r="button",class:a,children:l,onClick:c,...d}){let u=!l||Array.isArray(l)&&!l.length;return i`
    <button
      ...${d}
      type=${r}
      aria-disabled=${s?"true":null}
      onClick=${s?Vp:c}
      class=${ee("button",`button-${e}`,u&&"button-icon",a)}
      aria-label=${u?n:d["aria-label"]}
      aria-pressed=${o===void 0?null:String(o)}
      title=${u?n:d.title}
    >
      ${t&&i`<${k} name=${t} />`}${l}
    </button>
  `}function Fe({href:e,icon:t,kind:n="plain",class:o,children:s,...r}){return i`<a ...${r} href=${e} class=${ee("button",`button-${n}`,o)}>
    ${t&&i`<${k} name=${t} />`}${s}
  </a>`}function ie({label:e,value:t,choices:n,onChange:o}){return i`<div class="choice" role="group" aria-label=${e}>
    ${n.map(s=>{let[r,a]=Array.isArray(s)?s:[s,s];return i`<button type="button" aria-pressed=${String(r===t)} onClick=${()=>o(r)}>
        ${a}
      </button>`})}
  </div>`}var Vp,He=E(()=>{v();oe();Vp=e=>e.preventDefault()});async function Jt(e){try{return await navigator.clipboard.writeText(e),!0}catch{return!1}}function be({text:e,what:t=""}){let[n,o]=h(""),s=async()=>{o(await Jt(e)?"copied":"cannot copy"),setTimeout(()=>o(""),1600)};return i`<span class="copy">
    <button type="button" class="button button-ghost button-icon" aria-label=${`Copy ${t||e}`} title=${`Copy ${t||e}`} onClick=${s}>
      <${k} name=${n==="copied"?"check":"copy"} />
    </button>
    <span class="copy-status" role="status">${n}</span>
  </span>`}function Ue({id:e,href:t}){return i`<span class="handle">
    ${t?i`<a href=${t}><code>${e}</code></a>`:i`<code>${e}</code>`}<${be} text=${e} />
  </span>`}var Yt=E(()=>{v();oe()});function Ze({title:e,onClose:t,children:n,wide:o=!1,side:s=!1}){let r=A(null),a=Me();return _(()=>{let c=r.current;return c?.showModal(),()=>c?.close()},[]),i`<dialog
    ref=${r}
    class=${`dialog ${o?"dialog-wide":""} ${s?"dialog-side":""}`}
    aria-labelledby=${a}
    onCancel=${c=>(c.preventDefault(),t())}
    onClick=${c=>c.target===r.current&&t()}
  >
    <div class="dialog-box">
      <header class="dialog-head">
        <h2 id=${a}>${e}</h2>
        <${w} kind="ghost" icon="close" label="Close" onClick=${t} />
      </header>
      <div class="dialog-body">${n}</div>
    </div>
  </dialog>`}var ga=E(()=>{v();He()});function xa(e){return _a.test(e)&&e.length<ya?e?[e]:[]:e.split(Yp).map((t,n)=>n%2?Xp(t):t).filter(Boolean)}function Xp(e){if(e===`
`)return{mark:"↵",title:"a line break"};if(e[0]===" ")return{mark:`${e.length} spaces`,title:`${e.length} spaces, one after the other`};let t=[...e].map(o=>`U+${va(o).toString(16).toUpperCase().padStart(4,"0")}`),n=t.slice(0,8).join(" ")+(t.length>8?" …":"");return{mark:_e(e),title:`${n}: would not be seen`}}function Qp(e){if(e==="\r")return"\\r";let t=va(e);return t<256?`\\x${bo(t,2)}`:t<65536?`\\u${bo(t,4)}`:`\\U${bo(t,8)}`}var ba,Ys,Xs,ya,Gp,Jp,Yp,_a,_e,wa,yo,va,bo,Zp,Ie,We=E(()=>{ba="\\p{scx=Arab}\\p{scx=Syrc}\\p{scx=Mong}\\p{scx=Nkoo}\\p{scx=Deva}\\p{scx=Beng}\\p{scx=Guru}\\p{scx=Gujr}\\p{scx=Orya}\\p{scx=Taml}\\p{scx=Telu}\\p{scx=Knda}\\p{scx=Mlym}\\p{scx=Sinh}\\p{scx=Khmr}\\p{scx=Mymr}\\p{scx=Tibt}",Ys=["(?<=[\\p{ExtPict}\\p{EMod}\\ufe0f])\\u200d(?=\\p{ExtPict})",`(?<=[${ba}])[\\u200c\\u200d](?=[${ba}])`,"(?<=\\p{ExtPict})[\\ufe0e\\ufe0f]","(?<=[0-9#*])\\ufe0f(?=\\u20e3)"].join("|"),Xs="[\\p{C}\\p{DI}\\u2800\\p{Zl}\\p{Zp}]|(?! )\\p{Zs}",ya=40,Gp=new RegExp(`(?!${Ys})(?:${Xs})`,"gu"),Jp=new RegExp(`(?![\\n\\t]|${Ys})(?:${Xs})`,"gu"),Yp=new RegExp(`((?:(?![\\n\\t]|${Ys})(?:${Xs}))+|\\n| {${ya},})`,"gu");_a=/^[ -~]*$/;_e=e=>_a.test(e)?e:e.replace(Jp,Qp),wa=e=>e.replace(Gp,t=>t===`
`?t:t.split("").map(n=>`\\u${bo(n.charCodeAt(0),4)}`).join("")),yo=(e,t)=>e.slice(0,t).replace(/[\ud800-\udbff]$/,"");va=e=>Number(e.codePointAt(0)),bo=(e,t)=>e.toString(16).padStart(t,"0"),Zp=/^[\p{L}_$][\p{L}\p{N}_$-]*$/u,Ie=e=>Zp.test(e)?e:JSON.stringify(e)});function Qs(e,t){let n=0;for(;n<e.length&&n<t.length&&e[n]===t[n];)n+=1;let o=0,s=Math.min(e.length,t.length)-n;for(;o<s&&e[e.length-1-o]===t[t.length-1-o];)o+=1;let r=e.length-n-o,a=t.length-n-o,l=[];for(let c=0;c<n;c+=1)l.push({before:c,after:c});l.push(...r*a>1e6?ef(n,r,a):tf(e,t,n,r,a));for(let c=o;c>0;c-=1)l.push({before:e.length-c,after:t.length-c});return l}function ef(e,t,n){let o=Array.from({length:t},(r,a)=>({before:e+a,after:-1})),s=Array.from({length:n},(r,a)=>({before:-1,after:e+a}));return[...o,...s]}function tf(e,t,n,o,s){let r=s+1,a=new Uint32Array((o+1)*r);for(let u=o-1;u>=0;u-=1)for(let p=s-1;p>=0;p-=1){let $=u*r+p;a[$]=e[n+u]===t[n+p]?a[$+r+1]+1:Math.max(a[$+r],a[$+1])}let l=[],c=0,d=0;for(;c<o||d<s;){let u=c*r+d;c<o&&d<s&&e[n+c]===t[n+d]?(l.push({before:n+c,after:n+d}),c+=1,d+=1):c<o&&(d===s||a[u+r]>=a[u+1])?(l.push({before:n+c,after:-1}),c+=1):(l.push({before:-1,after:n+d}),d+=1)}return l}var ka=E(()=>{});function xo(e,t){let n=[];return Ma(Mn(e,t),[],n),n}function Ea(e,t){let n=[];return Ca(Mn(e,t),0,"","",n),n}function Ta(e,t=3){let n=new Uint8Array(e.length);e.forEach((s,r)=>{s.mark!==" "&&n.fill(1,Math.max(0,r-t),r+t+1)});let o=[];for(let s=0;s<e.length;s+=1){if(n[s]){o.push(e[s]);continue}let r=s;for(;r<e.length&&!n[r];)r+=1;r-s>2?o.push({folded:e.slice(s,r)}):o.push(...e.slice(s,r)),s=r-1}return o}function _o(e){return e.map(n=>{let o=typeof n=="number"?"":Ie(n);return o&&o===n?`.${o}`:`[${o||n}]`}).join("").replace(/^\./,"")||"(the whole value)"}function er(e,t){return Zs(e)===Zs(t)}function Mn(e,t,n=0){return er(e,t)?{kind:"same",before:e,after:t}:n>=nf?{kind:"changed",before:e,after:t}:Array.isArray(e)&&Array.isArray(t)?{kind:"array",before:e,after:t,parts:sf(e,t,n+1)}:Cn(e)&&Cn(t)?{kind:"object",before:e,after:t,parts:of(e,t,n+1)}:{kind:typeof e=="string"&&typeof t=="string"&&/\n/.test(e+t)?"text":"changed",before:e,after:t}}function of(e,t,n){let o=Object.keys(e),s=Object.keys(t).filter(r=>!Object.hasOwn(e,r));return[...o,...s].map(r=>Object.hasOwn(t,r)?Object.hasOwn(e,r)?{...Mn(e[r],t[r],n),key:r}:{kind:"added",key:r,after:t[r]}:{kind:"removed",key:r,before:e[r]})}function sf(e,t,n){let o=["id","key","name"].find(c=>Sa(e,c)&&Sa(t,c)),s=c=>c.map(d=>o?d[o]:Zs(d)),r=[],a=[],l=()=>{for(let c of a)r.push({kind:"removed",key:c,before:e[c]});a=[]};for(let c of Qs(s(e),s(t)))c.after<0?a.push(c.before):c.before<0&&a.length&&!o?r.push({...Mn(e[Number(a.shift())],t[c.after],n),key:c.after}):c.before<0?(l(),r.push({kind:"added",key:c.after,after:t[c.after]})):(l(),r.push({...Mn(e[c.before],t[c.after],n),key:c.after}));return l(),r}function Sa(e,t){let n=new Set(e.map(o=>Cn(o)&&typeof o[t]=="string"?o[t]:void 0));return e.length>0&&!n.has(void 0)&&n.size===e.length}function Ma(e,t,n){let o=e.key===void 0?t:[...t,e.key];e.parts?e.parts.forEach(s=>Ma(s,o,n)):e.kind==="added"?n.push({path:o,change:"added",after:e.after}):e.kind==="removed"?n.push({path:o,change:"removed",before:e.before}):e.kind!=="same"&&n.push({path:o,change:"changed",before:e.before,after:e.after})}function Ca(e,t,n,o,s){if(e.kind==="same")Tn(e.after," ",t,n,o,s);else if(e.kind==="removed")Tn(e.before,"-",t,n,o,s);else if(e.kind==="added")Tn(e.after,"+",t,n,o,s);else if(e.kind==="text")rf(e,t,n,o,s);else if(e.parts){let[r,a]=e.kind==="array"?"[]":"{}";s.push({mark:" ",depth:t,text:n+r}),e.parts.forEach((l,c,d)=>{let u=e.kind==="array"?"":`${JSON.stringify(l.key)}: `;Ca(l,t+1,u,c<d.length-1?",":"",s)}),s.push({mark:" ",depth:t,text:a+o})}else Tn(e.before,"-",t,n,o,s),Tn(e.after,"+",t,n,o,s)}function Tn(e,t,n,o,s,r){se(e,{indent:1}).split(`
`).forEach((l,c,d)=>{let u=l.length-l.trimStart().length,p=c===d.length-1;r.push({mark:t,depth:n+u,text:(c?"":o)+l.trimStart()+(p?s:"")})})}function rf(e,t,n,o,s){let r=e.before.split(`
`),a=e.after.split(`
`);s.push({mark:" ",depth:t,text:`${n}"""`});for(let l of Qs(r,a)){let c=l.after<0?"-":l.before<0?"+":" ";s.push({mark:c,depth:t+1,text:c==="-"?r[l.before]:a[l.after],within:!0})}s.push({mark:" ",depth:t,text:`"""${o}`})}function Zs(e){return e===void 0?"undefined":se(e,{sorted:!0})}function Cn(e){return typeof e=="object"&&e!==null&&!Array.isArray(e)&&!(e instanceof Ee)}var nf,wo=E(()=>{dt();Le();We();ka();nf=100});function m({text:e}){return e?i`<bdi class="written"><${ft} text=${e} /></bdi>`:null}function ft({text:e}){return xa(e).map(t=>typeof t=="string"?t:i`<span class="unseen" title=${t.title}>${t.mark}</span>`)}function De({text:e}){return e.split(`
`).map((t,n)=>i`${n?`
`:""}<${ft} text=${t} />`)}function Aa({text:e,cut:t=e.length}){let n=yo(e,t);if(!e.includes(`
`))return i`<bdi class="json-string">"<${ft} text=${n.replaceAll(/["\\]/g,"\\$&").replaceAll("	","\\t")} />${t<e.length?"":'"'}</bdi>`;let o=n.split(`
`);return i`<span class="json-brace">text, ${e.split(`
`).length} lines</span><span class="json-block">${o.map((s,r)=>i`<bdi class="json-text"><${ft} text=${s} />${r<o.length-1&&i`<span class="unseen line-end" title="a line break">↵</span>`}</bdi>`)}</span>`}var je=E(()=>{v();We()});function ae({value:e,label:t="value",raw:n=!1,whole:o=!1}){let[s,r]=h(n?"raw":"tree"),a=Oa(e),l=a&&et(e).length>cf;return i`<div class="json">
    <div class="json-tools">
      ${l&&i`<${ie} label=${`How ${t} is shown`} value=${s} choices=${["tree","raw"]} onChange=${r} />`}
      <${be} text=${typeof e=="string"?e:et(e)} what=${t} />
    </div>
    ${s==="raw"||!a?i`<${Qt} text=${typeof e=="string"?e:et(e)} />`:i`<div class=${l?"json-tree":"json-tree json-short"}><${df} value=${e} whole=${o} /></div>`}
  </div>`}function Qt({text:e}){let[t,n]=h(!1),o=!t&&e.length>Xt*10;return i`<pre class="text" tabindex="0"><${De} text=${o?yo(e,Xt*10):e} />${o&&i`<button type="button" class="more" onClick=${()=>n(!0)}>… ${e.length-Xt*10} characters more</button>`}</pre>`}function df({value:e,whole:t}){let n=Object.entries(e),o=t?-1/0:0;return!n.length||Array.isArray(e)?i`<${Ia} value=${e} depth=${o} />`:i`<${Na} members=${n} depth=${o} flat />`}function Ia({name:e,value:t,depth:n}){let o=e===void 0?null:i`<bdi class="json-key"><${ft} text=${e} /></bdi>`;if(!Oa(t))return i`<div class="json-line">${o}<${Zt} value=${t} /></div>`;let s=Array.isArray(t),r=Object.entries(t);if(!r.length)return i`<div class="json-line">${o}<span class="json-brace">${s?"[ ]":"{ }"}</span></div>`;let a=`${r.length} ${s?r.length===1?"item":"items":r.length===1?"field":"fields"}`;return i`<details class="json-node" open=${n<lf}>
    <summary>${o}<span class="json-brace">${s?"[…]":"{…}"} ${a}</span></summary>
    <${Na} members=${r} depth=${n} list=${s} />
  </details>`}function Na({members:e,depth:t,flat:n=!1,list:o=!1}){let[s,r]=h(af);return i`<div class=${n?null:"json-members"}>
    ${e.slice(0,s).map(([a,l])=>i`<${Ia} key=${a} name=${o?a:Ie(a)} value=${l} depth=${t+1} />`)}
    ${e.length>s&&i`<button type="button" class="more" onClick=${()=>r(s*10)}>… ${e.length-s} more</button>`}
  </div>`}function Zt({value:e}){let[t,n]=h(!1);if(typeof e!="string")return i`<span class=${`json-${e===null?"null":e instanceof Ee?"number":typeof e}`}>${String(e)}</span>`;let o=!t&&e.length>Xt;return i`<${Aa} text=${e} cut=${o?Xt:e.length} />${o&&i`<button type="button" class="more" onClick=${()=>n(!0)}>… ${e.length-Xt} more</button>`}`}var Xt,af,lf,cf,et,Oa,An=E(()=>{v();dt();Le();He();Yt();je();We();Xt=400,af=100,lf=2,cf=160;et=e=>e===void 0?"":se(e,{indent:2}),Oa=e=>typeof e=="object"&&e!==null&&!(e instanceof Ee)});function qe({before:e,after:t,titles:n=["before","after"]}){let o=xo(e,t),s=o.some(d=>typeof d.before=="string"&&d.before.includes(`
`)),[r,a]=h(""),l=r||(s?"lines":"fields");if(!o.length)return i`<p class="soft">No difference.</p>`;let c=`Difference between ${n[0]} and ${n[1]}`;return i`<div class="diff">
    <div class="diff-head">
      <span class="soft">${uf(o)}</span>
      <${ie} label="How the difference is shown" value=${l} choices=${["fields","lines"]} onChange=${a} />
    </div>
    <div class="diff-body" role="group" aria-label=${c} tabindex="0">
      ${l==="fields"?i`<${pf} found=${o} titles=${n} />`:i`<${$f} before=${e} after=${t} titles=${n} />`}
    </div>
  </div>`}function uf(e){let t=n=>e.filter(o=>o.change===n).length;return["changed","added","removed"].filter(t).map(n=>`${t(n)} ${n}`).join(", ")}function pf({found:e,titles:t}){let n=e.map(o=>({path:o.path.length?_o(o.path):"value",kind:o.change,before:o.before,after:o.after}));return i`<${vo} rows=${n} titles=${t} />`}function vo({rows:e,titles:t,words:n={}}){return i`<table class="diff-table">
    <thead>
      <tr><th scope="col">field</th><th scope="col">${t[0]}</th><th scope="col">${t[1]}</th></tr>
    </thead>
    <tbody>
      ${e.map(o=>i`<tr key=${o.path}>
        <th scope="row"><code><${m} text=${o.path} /></code><span class="diff-kind">${n[o.kind]??o.kind}</span></th>
        <td>${o.kind==="added"?i`<span class="faint">–</span>`:i`<del><${La} value=${o.before} /></del>`}</td>
        <td>${o.kind==="removed"?i`<span class="faint">–</span>`:i`<ins><${La} value=${o.after} /></ins>`}</td>
      </tr>`)}
    </tbody>
  </table>`}function La({value:e}){return typeof e=="string"?i`<${Zt} value=${e} />`:i`<${De} text=${et(e)} />`}function $f({before:e,after:t,titles:n}){let[o,s]=h([]),r=Ta(Ea(e,t));return i`<p class="visually-hidden">Lines that begin with a minus are only in ${n[0]}, those with a plus only in ${n[1]}.</p>
    <pre class="diff-lines">${r.map((a,l)=>"folded"in a?o.includes(l)?a.folded.map(c=>i`<${Ra} line=${c} />`):i`<button type="button" class="diff-fold" onClick=${()=>s([...o,l])}>${a.folded.length} unchanged lines</button>`:i`<${Ra} line=${a} />`)}</pre>`}function Ra({line:e}){let t=i`${`${e.mark} ${"  ".repeat(e.depth)}${e.within?"│ ":""}`}<bdi><${ft} text=${e.text} /></bdi>${`
`}`;return e.mark==="-"?i`<del class="diff-line diff-removed">${t}</del>`:e.mark==="+"?i`<ins class="diff-line diff-added">${t}</ins>`:i`<span class=${`diff-line diff-${ff[e.mark]}`}>${t}</span>`}var ff,tr=E(()=>{wo();v();He();An();je();ff={" ":"kept","-":"removed","+":"added"}});function Be({keys:e}){return i`<span class="kbd-row">
    ${e.split(" ").map(t=>i`<kbd class="kbd">${mf[t]||t}</kbd>`)}
  </span>`}var mf,Da=E(()=>{v();mf={ArrowDown:"↓",ArrowUp:"↑",ArrowLeft:"←",ArrowRight:"→",Escape:"Esc",Enter:"⏎"}});function st({label:e,icon:t,word:n,children:o,kind:s="plain",end:r=!1}){let[a,l]=h(!1),c=A(null),d=Me();_(()=>{if(!a)return;let p=$=>{let f=$ instanceof KeyboardEvent?$.key:"";f&&f!=="Escape"||!f&&$.target instanceof Node&&c.current?.contains($.target)||(l(!1),f&&($.preventDefault(),c.current?.querySelector("button")?.focus()))};return document.addEventListener("pointerdown",p),document.addEventListener("keydown",p,!0),()=>{document.removeEventListener("pointerdown",p),document.removeEventListener("keydown",p,!0)}},[a]);let u=p=>{p.target instanceof Element&&p.target.closest("[data-close], a[href]")&&l(!1)};return i`<div class="menu" ref=${c}>
    <button
      type="button"
      class=${`button button-${s} ${n?"":"button-icon"}`}
      aria-label=${n?null:e}
      title=${e}
      aria-expanded=${String(a)}
      aria-controls=${d}
      onClick=${()=>l(!a)}
    >
      ${t&&i`<${k} name=${t} />`}${n}
    </button>
    <div id=${d} class=${`menu-box ${r?"menu-end":""}`} hidden=${!a} onClick=${u}>${a&&o}</div>
  </div>`}var Pa=E(()=>{v();oe()});function R({title:e,level:t=2,actions:n,class:o,flush:s=!1,children:r,...a}){return i`<section ...${a} class=${ee("panel",s&&"panel-flush",o)}>
    ${(e||n)&&i`<header class="panel-head">
      ${e&&i`<${`h${t}`} class="panel-title">${e}</${`h${t}`}>`}
      ${n&&i`<div class="panel-actions">${n}</div>`}
    </header>`}
    <div class="panel-body">${r}</div>
  </section>`}function F({icon:e="planned",title:t,children:n}){return i`<div class="empty">
    <${k} name=${e} size=${24} />
    <p class="empty-title">${t}</p>
    ${n&&i`<div class="empty-body">${n}</div>`}
  </div>`}function L({problem:e,retry:t}){return e?i`<div class="problem" role="alert">
    <${k} name="warning" />
    <div>
      <p>${e.message}</p>
      ${e.hint&&i`<p class="soft">${e.hint}</p>`}
    </div>
    ${t&&i`<button type="button" class="button button-plain" onClick=${t}>Try again</button>`}
  </div>`:null}function H({what:e="Loading"}){return i`<p class="loading" role="status">${e}…</p>`}function Ne({rows:e}){return i`<dl class="facts">
    ${e.filter(t=>Array.isArray(t)&&t[1]!==""&&t[1]!==void 0&&t[1]!==null).map(t=>i`<div><dt>${t[0]}</dt><dd>${t[1]}</dd></div>`)}
  </dl>`}var ja=E(()=>{v();oe()});function Ke({label:e,value:t,onChange:n,onEnter:o,placeholder:s="",children:r}){let[a,l]=h(t),c=A(t),d=A(0),u=A(null);_(()=>{t!==c.current&&(c.current=t,l(t))},[t]);let p=g=>{clearTimeout(d.current),c.current=g,n(g)},$=g=>{l(g),clearTimeout(d.current),d.current=setTimeout(()=>p(g),hf)};return i`<div class="search" role="search">
    <${k} name="search" />
    <input
      ref=${u}
      type="search"
      aria-label=${e}
      placeholder=${s}
      value=${a}
      spellcheck="false"
      autocomplete="off"
      data-search
      onInput=${g=>$(g.target.value)}
      onKeyDown=${g=>{(g.key==="Enter"||g.key==="ArrowDown")&&(p(a),o&&(g.preventDefault(),u.current?.blur(),o())),g.key==="Escape"&&(a?(l(""),p("")):u.current?.blur())}}
    />
    ${r}
  </div>`}function nr(){let e=document.querySelector("main [data-search]");e?.focus(),e?.select()}var hf,qa=E(()=>{v();oe();hf=250});function Ot({label:e,columns:t,rows:n,id:o,selected:s,onSelect:r}){return i`<div class="table-scroll" tabindex="0" role="region" aria-label=${e}>
    <table class="table">
      <thead>
        <tr>${t.map(a=>i`<th scope="col" class=${a.class}>${a.title}</th>`)}</tr>
      </thead>
      <tbody>
        ${n.map(a=>i`<tr
            key=${o(a)}
            class=${r?"row-link":null}
            aria-selected=${s===void 0?null:String(o(a)===s)}
            onClick=${r?()=>r(a):null}
          >
            ${t.map(l=>i`<td class=${l.class}>${l.cell(a)}</td>`)}
          </tr>`)}
      </tbody>
    </table>
  </div>`}var Ba=E(()=>{v()});function On({label:e,tabs:t,value:n,href:o=s=>x(location.pathname+location.search,{tab:s})}){let s=A(null);return _(()=>{s.current?.querySelector("[aria-current]")?.scrollIntoView({block:"nearest",inline:"nearest"})},[n]),i`<nav class="tabs" aria-label=${e} ref=${s} onKeyDown=${a=>{let l={ArrowRight:1,ArrowLeft:-1}[a.key];if(!l||!s.current)return;let c=[...s.current.querySelectorAll("a")];c[(c.indexOf(document.activeElement)+l+c.length)%c.length].focus(),a.preventDefault()}}>
    ${t.map(a=>i`<a href=${o(a.id)} class="tab" aria-current=${a.id===n?"page":null}>
        ${a.title}
        ${a.count?i`<span class=${`tab-count tone-${a.tone||"plain"}`}>${a.count}</span>`:null}
      </a>`)}
  </nav>`}var za=E(()=>{v();U()});function It({row:e,steps:t,running:n=!1,failed:o=!1}){let{done:s,undone:r,skipped:a,total:l}=or(e),c=[...Array(s-r).fill("done"),...Array(r).fill("undone"),...Array(a).fill("skipped")],d=t||Array.from({length:Math.min(l,Fa+1)},($,f)=>c[f]??gf(f-c.length,n,o)),u=t?t.length:l,p=Ha(e);return u?i`<span class="tally" role="img" aria-label=${p} title=${p}>
    ${u>Fa?i`<span class="tally-bar"><span style=${{width:`${100*(s+a)/u}%`}}></span></span>`:d.map(($,f)=>i`<i class=${ee("notch",`notch-${$}`,f%5===4&&"notch-fifth")}></i>`)}
  </span>`:i`<span class="tally-none">ad hoc</span>`}function Ha(e){let{done:t,undone:n,skipped:o,total:s}=or(e),r=n?`, of which ${n} undone`:"";return o?`${t} done${r}, ${o} skipped of ${s} steps`:`${t} of ${s} steps done${r}`}function rt(e){let{done:t,undone:n,skipped:o,total:s}=or(e),r=[n&&`${n} undone`,o&&`${o} skipped`].filter(Boolean);return`${t}/${s}${r.length?` (${r.join(", ")})`:""}`}function or(e){return{done:e.done_steps??0,undone:e.undone_steps??0,skipped:e.skipped_steps??0,total:e.total_steps??0}}function gf(e,t,n){return e?"planned":n?"failed":t?"running":"planned"}var Fa,sr=E(()=>{v();Fa=40});function ko(e){let t=localStorage.getItem(`tallystick.${e}`)||"",n=In[e];return n.includes(t)?t:n[0]}function ir(e,t){localStorage.setItem(`tallystick.${e}`,t),document.documentElement.dataset[e]=t;for(let n of rr)n(Symbol(e))}function me(e){let[,t]=h(null);return _(()=>(rr.add(t),()=>{rr.delete(t)}),[]),ko(e)}function Ua(){window.addEventListener("storage",e=>{let t=e.key?.replace("tallystick.","");t&&t in In&&ir(t,ko(t))})}var In,rr,Ve=E(()=>{v();In={theme:["system","light","dark"],density:["compact","comfortable"],time:["relative","absolute"],zone:["local","utc"]},rr=new Set});function we(){let[e,t]=h(()=>Date.now());return _(()=>(So.add(t),ar||=setInterval(()=>!document.hidden&&So.forEach(n=>n(Date.now())),bf),()=>{So.delete(t),So.size||(ar=void clearInterval(ar))}),[]),e}function ue(e,t=2){if(e<-yf)return"–";let n=Math.max(0,e);if(n<1e3)return`${Math.round(n)} ms`;if(n<1e4&&t>1)return`${(n/1e3).toFixed(1).replace(".0","")} s`;let o=Math.round(n/1e3),s=[];for(let[r,a]of xf){let l=Math.floor(o/r);if(o-=l*r,l&&s.push(`${l} ${a}`),s.length&&!l||s.length===t)break}return s.join(" ")}function en(e,t){let n=new Date(e);return Number.isNaN(n.getTime())?String(e):vf[t==="utc"?"utc":"local"].format(n)}function Nt(e,t){let n=new Date(e);return(n.toDateString()===new Date().toDateString()?_f:wf)[t==="utc"?"utc":"local"].format(n)}function tt(){return me("zone")==="utc"?"UTC":Intl.DateTimeFormat().resolvedOptions().timeZone}function N({at:e,lead:t="",tail:n=" ago",form:o}){let s=me("time"),r=me("zone");return e?i`<time class="time" dateTime=${e} title=${en(e,r)}>
    ${(o||s)==="absolute"?Nt(e,r):i`<${kf} at=${e} lead=${t} tail=${n} />`}
  </time>`:i`<span class="faint">–</span>`}function kf({at:e,lead:t,tail:n}){let o=we()-Date.parse(e);return o<1500&&!t?"now":`${t}${ue(Math.max(o,1e3),1)}${t?"":n}`}function $t({from:e,to:t}){return t?i`<span class="num">${ue(Date.parse(t)-Date.parse(e))}</span>`:i`<${Sf} from=${e} />`}function Sf({from:e}){return i`<span class="num">${ue(we()-Date.parse(e))}</span>`}var bf,yf,xf,So,ar,lr,cr,_f,wf,vf,mt=E(()=>{v();Ve();bf=1e3,yf=3e5,xf=[[86400,"d"],[3600,"h"],[60,"min"],[1,"s"]],So=new Set,ar=0;lr=e=>({local:new Intl.DateTimeFormat("en-GB",e),utc:new Intl.DateTimeFormat("en-GB",{...e,timeZone:"UTC"})}),cr={hour:"2-digit",minute:"2-digit",second:"2-digit"},_f=lr(cr),wf=lr({day:"numeric",month:"short",...cr}),vf=lr({dateStyle:void 0,year:"numeric",month:"short",day:"numeric",...cr,fractionalSecondDigits:3,timeZoneName:"short"})});function Lt({rows:e,height:t,row:n,looks:o,label:s,selected:r=-1,atEnd:a=!1,onEnd:l,onNear:c,onRange:d,head:u,role:p="list",outer:$="region"}){let f=A(null),[g,b]=h({top:0,room:800}),C=A(!1),M=A(new Map),y=ye(()=>{let q=f.current;q&&b(W=>{let J=Math.floor(q.scrollTop/t)*t;return W.top===J&&W.room===q.clientHeight?W:{top:J,room:q.clientHeight}})},[t]);ke(()=>{let q=f.current;if(!q)return;let W=new ResizeObserver(y);return W.observe(q),y(),()=>W.disconnect()},[y]),ke(()=>{!a||!f.current||(C.current=!0,f.current.scrollTop=f.current.scrollHeight)},[a,e.length]),ke(()=>{let q=f.current;if(r<0||!q)return;let W=r*t;W<q.scrollTop?q.scrollTop=W:W+t*2>q.scrollTop+q.clientHeight&&(q.scrollTop=W+t*2-q.clientHeight)},[r,t]);let S=()=>{y();let q=f.current,W=q.scrollTop+q.clientHeight>=q.scrollHeight-t;C.current||l?.(W),C.current=!1},O=Math.max(0,Math.floor(g.top/t)-Wa),V=Math.min(e.length,Math.ceil((g.top+g.room)/t)+Wa);_(()=>{c&&V>=e.length&&c()},[V,e.length]),_(()=>d?.(O,V),[O,V,d]);let j=new Map,I=(q,W)=>{let J=o?.(q,W),re=M.current.get(q),B=re&&re.looks===J?re:{looks:J,row:n(q,W)};return J!==void 0&&j.set(q,B),B.row},P=e.slice(O,V).map((q,W)=>I(q,O+W));return M.current=j,i`<div class="virtual" ref=${f} onScroll=${S} tabindex="0" role=${$} aria-label=${s} aria-rowcount=${$==="table"?e.length+1:null}>
    ${u}
    <div class="virtual-all" role=${p} style=${{height:`${e.length*t}px`}}>
      <div class="virtual-seen" role="presentation" style=${{transform:`translateY(${O*t}px)`}}>
        ${P}
      </div>
    </div>
  </div>`}var Wa,Ka=E(()=>{v();Wa=12});var z=E(()=>{Js();He();Yt();ga();tr();An();Da();Pa();ja();qa();Ba();za();sr();je();We();mt();Kt();Ka()});function ht(){let e=Oe(),[t,n]=h([]);_(()=>{let s=()=>document.hidden||T("/v1/journals").then(a=>n(l=>Cf(l,a.journals)?l:a.journals),()=>{});s();let r=setInterval(s,Mf);return()=>clearInterval(r)},[]);let o=Z()||e.journal;return{shown:o,others:t.filter(s=>s!==o)}}var Mf,Cf,Nn=E(()=>{G();v();U();ze();Mf=5e3;Cf=(e,t)=>e.length===t.length&&e.every((n,o)=>n===t[o])});function gt(){let[e,t]=h(Af),{shown:n}=ht();_(()=>{dr||=T("/clients"),dr.then(t,()=>dr=null)},[]);let o=Ge(e.command),s=e.store?` --url ${Ge(e.store)}`:"";return{clients:e.clients,setup:`${e.store?`TALLYSTICK_URL=${Ge(e.store)} `:""}${o} setup`,commandLine:r=>`${o} ${r}${s} --journal ${Ge(n)}`}}var Af,dr,Ge,tn=E(()=>{G();v();Nn();Af={clients:[],command:"tallystick",store:""},dr=null;Ge=e=>/^[\w@%+=:,./-]+$/.test(e)?e:`'${e.replaceAll("'",`'"'"'`)}'`});function Ja(e,t,{reason:n="",answer:o="",text:s=""}={}){let r={verdict:t,...n.trim()?{reason:n.trim()}:{}};if(t==="respond")return o.trim()?{body:{...r,answer:o.trim()}}:{problem:"Enter an answer for the agent.",field:"answer"};if(t!=="edit")return{body:r};let a=ur(s);return"problem"in a?{problem:a.problem,field:"arguments"}:er(a.value,e.arguments??{})?{problem:"The arguments are unchanged. To grant the call as asked, choose Accept.",field:"arguments"}:{body:{...r,arguments:a.value}}}function ur(e){let t;try{t=zs(e)}catch(n){return Of(e,n)}return Cn(t)?{value:t}:{problem:"Arguments must be a JSON object: begin with { and end with }.",line:1}}function Of(e,t){if(!(t instanceof Tt))return{problem:"The arguments are nested too deep.",line:1};let n=e.slice(0,t.at).split(`
`).length;return{problem:`${e.trim()?t.message:"Arguments are missing"}. Check line ${n}.`,line:n}}function To(e,t){return t&&t.status==="expired"?"Too late: the question has expired. Nothing was granted, and the agent has to ask again.":t&&t.status==="closed"?"Too late: its execution has ended. Nothing was granted.":t&&t.status!=="pending"?`The question was already answered${t.decided_by?` by ${t.decided_by}`:t.answered_in?` in ${t.answered_in}`:""}: ${Rt(t.status)}. Your answer was not used.`:e.code==="not_permitted"||e.status===403?"You are not logged in as a person who may decide. Your answer is kept: enter a credential, and send it again.":[e.message,e.hint].filter(Boolean).join(" ")}function Rt(e){return e==="used"?"accepted, and used":e in Ln?Ln[e].past.toLowerCase():e}var Ln,nn=E(()=>{wo();po();Ln={approve:{verb:"Accept",past:"Accepted",key:"a"},edit:{verb:"Edit",past:"Accepted with other arguments",key:"e"},reject:{verb:"Reject",past:"Rejected",key:"r"},respond:{verb:"Respond",past:"Answered",key:"m"}}});function Mo({get:e,post:t}){return async(n,o,s)=>{let r=`/v1/approvals/${encodeURIComponent(n)}`;try{let a=await t(`${r}/decision`,o,{key:s});return{id:n,ok:!0,status:a.status,problem:""}}catch(a){let l=await e(r).catch(()=>null),{status:c}=a;return{id:n,ok:!1,status:l?.status??"",problem:To(a,l),refused:c===401||c===403}}}}var on,Rn=E(()=>{nn();on=()=>`page-${crypto.randomUUID?.()??[...crypto.getRandomValues(new Uint32Array(4))].join("-")}`});async function Lf(e){let n=(await Promise.all(Nf.map(s=>T("/v1/entries",{kind:s,newest_first:!0,limit:If},{signal:e})))).flatMap(s=>s.entries).toSorted((s,r)=>s.seq-r.seq),o=new Set;for(let{kind:s,facts:r}of n)s==="credential_added"&&r.scopes?.includes("approve")&&!(r.expires&&Rf(r.expires))?o.add(r.name):o.delete(r.name);return[...o]}function Ya(){let{data:e}=D({kinds:["credential_"]},t=>Lf(t).catch(()=>[]));return e?e.length?i`<p class="soft who-may">May decide: ${e.map((t,n)=>i`${n?", ":""}<strong><${m} text=${t} /></strong>`)}.</p>`:i`<p class="soft who-may">No one here is known to hold a credential with the scope <code>approve</code>.</p>`:null}var If,Nf,Rf,Xa=E(()=>{G();v();te();je();If=200,Nf=["credential_added","credential_revoked"];Rf=e=>(typeof e=="number"?e/1e3:Date.parse(e))<=Date.now()});function Je({onDone:e,scope:t="approve"}){let[n,o]=h(""),[s,r]=h(""),[a,l]=h(!1),c=A(null),[d,u]=h(!1),p=Me(),$=gt().commandLine("credential add NAME");return i`<form class="credential" ref=${c} onSubmit=${async g=>{g.preventDefault(),l(!0);let b=n,C=await Te("/login",{token:b.trim()}).then(()=>"",Pf),M=C?null:await ut();l(!1),o(y=>y===b?"":y),M&&(t==="approve"?M.may_decide:M.scopes.includes(t))?e?.():(r(C||`This credential ${t==="approve"?"may not decide: it ":""}lacks the scope “${t}”.`),c.current?.contains(document.activeElement)&&document.getElementById(p)?.focus())}} aria-labelledby=${`${p}-title`}>
    <h2 id=${`${p}-title`} class="visually-hidden">Who are you?</h2>
    <div class="credential-row">
      <label class="field" for=${p}>
        <span>Credential <span class="faint">${Df[t]}</span></span>
        <input
          id=${p} type="password" autocomplete="current-password" spellcheck="false" required value=${n}
          placeholder="ts_…" aria-describedby=${`${p}-problem`} aria-invalid=${s?"true":null}
          onInput=${g=>(o(g.target.value),r(""))}
        />
      </label>
      <${w} kind="primary" type="submit" disabled=${a||!n.trim()}>Use it in this session<//>
    </div>
    <p id=${`${p}-problem`} class="field-problem" role="alert">${s}</p>
    <details class="credential-how" onToggle=${g=>u(g.target.open)}>
      <summary>${t==="approve"?"I have none: who may decide?":"I have none"}</summary>
      ${d&&t==="approve"&&i`<${Ya} />`}
      <p class="soft">The operator of this server can create one. It is shown once:</p>
      <span class="command"><code>${$}</code><${be} text=${$} what="the command" /></span>
    </details>
  </form>`}function Pf(e){return e.status===401||e.status===403?"This credential is unknown or no longer valid.":e.message}var Df,sn=E(()=>{Xa();G();v();ze();tn();He();Yt();Df={approve:"Deciding needs an approver’s credential. An agent’s token can never do it.",admin:"This needs a credential with the scope “admin”. An agent’s token can never do it."}});function Ye(e,t,n){let o=URL.createObjectURL(new Blob(Array.isArray(t)?t:[t],{type:n})),s=Object.assign(document.createElement("a"),{href:o,download:n$(e)});document.body.append(s),s.click(),s.remove(),setTimeout(()=>URL.revokeObjectURL(o),6e4)}function n$(e){return e.normalize("NFKC").replaceAll(/[^\p{L}\p{N}._ -]+/gu,"-").replace(/^[.\s-]+/,"").slice(0,120)||"tallystick"}var Fn=E(()=>{});function No(e){let[t,n]=h({library:null,problem:null});if(_(()=>{e().then(o=>n({library:o,problem:null}),o=>n({library:null,problem:o}))},[e]),t.problem)throw t.problem;return t.library}var wl,vl,gr=E(()=>{v();wl=()=>import("./dagre-72RP2Z24.js"),vl=()=>import("./uplot-2LURMCIS.js").then(e=>e.default)});function Vl(e){let[t,n]=h({lines:[],complete:!1,problem:null}),o=A([]),s=A(new Set),r=A(0),a=A(0),l=(p,$=!0)=>{o.current=p,n({lines:p,complete:$,problem:null})},c=async()=>{let p=a.current+=1,$=[],f="";do{let g=await T("/v1/actions",{execution_id:e,limit:Kl,cursor:f});if(p!==a.current)return;$=$.concat(g.actions),f=g.next_cursor||"",f&&$.length>o.current.length&&l($,!1)}while(f);l($)},d=async()=>{r.current=0;let p=[...s.current];s.current.clear();let $=o.current;if(!$.length||p.length>F$||p.includes("*"))return c();let f=a.current,g=await T("/v1/actions",{execution_id:e,limit:Kl,cursor:$[$.length-1].id}),b=new Set($.map(y=>y.id)),C=await Promise.all(p.filter(y=>b.has(y)).map(y=>T(`/v1/actions/${y}`)));if(f!==a.current)return;if(g.next_cursor)return c();let M=new Map(C.map(y=>[y.id,y]));l([...$.map(y=>M.has(y.id)?W$(y,M.get(y.id)):y),...g.actions])},u=p=>p().catch($=>n(f=>({...f,problem:$})));return _(()=>(o.current=[],n({lines:[],complete:!1,problem:null}),u(c),()=>{a.current+=1,clearTimeout(r.current),r.current=0}),[e]),Re(p=>{let $=!p||U$.has(p.kind);!$&&p.execution_id!==e||(s.current.add($?"*":p.id),r.current||=setTimeout(()=>u(d),H$))}),t}function W$(e,t){let{state:n,ended:o,lost:s,undo_state:r,undone_by:a,attempt:l}=t;return{...e,state:n,ended:o,lost:s,undo_state:r,undone_by:a,attempt:l}}var Kl,F$,H$,U$,Gl,xr=E(()=>{G();v();te();Kl=2e3,F$=12,H$=60,U$=new Set(["session_ended","body_erased"]);Gl=e=>e.summary||e.tool||e.step||e.id});function Po(){let[e,t]=h(""),{shown:n,others:o}=ht(),{clients:s,setup:r,commandLine:a}=gt(),l=[...new Set(s.map(d=>d.client))],c=s.filter(d=>d.client===(e||l[0]));return i`<div class="page first-steps">
    <header class="first-steps-head">
      <${go} size=${40} />
      <h1>Nothing is recorded yet</h1>
      <p class="soft">Plans, actions, decisions and undo lists appear here as soon as they are recorded. The page updates itself.</p>
      <p class="first-steps-wait" role="status"><span class="pulse"></span>Waiting for the first entry in <code>${n}</code>…</p>
      ${o.length>0&&i`<p role="status">Each project has its own journal. Journals with entries:
        ${o.slice(0,Sr).map((d,u)=>i`${u?", ":" "}<a href=${`/?journal=${encodeURIComponent(d)}`}>${d}</a>`)}${o.length>Sr?` and ${o.length-Sr} more`:""}.</p>`}
    </header>
    <div class="first-steps-ways">
      <${R} title="1. Record every call" level=${2}>
        <p>One command sets up the hooks of Claude Code, Codex, Gemini CLI, Cursor and Copilot. It shows what it changes,
        and <code>setup --remove</code> reverts it.</p>
        <${Er} text=${r} />
      </${R}>
      <${R} title="2. Give the agent the journal's tools" level=${2}>
        <p>With the tools, an agent can record plans and decisions, and read what the last agent did.</p>
        ${l.length>0&&i`<${ie} label="Client" value=${e||l[0]} choices=${l} onChange=${t} />`}
        ${c.map(d=>i`<div class="snippet" key=${d.over+d.where+d.client}>
            <p class="soft">${d.where.replaceAll("`","")}${d.over==="http"?", through this server":""}</p>
            <${Er} text=${d.text} />
          </div>`)}
      </${R}>
      <${R} title="3. Or write the first entry yourself" level=${2}>
        <${Er} text=${a('record execution-start --title "Clean up"')} />
        <p class="soft"><${k} name="right" />This page then shows the execution.</p>
      </${R}>
    </div>
  </div>`}function Er({text:e}){return i`<div class="snippet-command"><pre tabindex="0"><code>${e}</code></pre><${be} text=${e} what="command" /></div>`}var Sr,Tr=E(()=>{v();oe();Nn();tn();z();Sr=8});function pc(e){let t=[];for(let[,n,o,s]of e.matchAll(/(?:([a-z]+):)?(?:"([^"]*)"|(\S+))/g)){let r=o??s??"";n&&!(n in dc)?t.push({field:"",value:`${n}:${r}`}):t.push({field:n||"",value:r})}return t}function Kn(e){return e.map(({field:t,value:n})=>`${t?`${t}:`:""}${/\s/.test(n)?`"${n}"`:n}`).join(" ")}function mc(e){let n=e.filter(({field:o})=>o==="status").flatMap(({value:o})=>$c(o)).find(o=>!(o in fc));return n===void 0?null:{message:`“${n}” is no state of an execution.`,hint:`Use one of: ${Object.keys(jo).join(", ")}, open.`}}function hc(e){let t={status:[]},n=[];for(let{field:o,value:s}of e)!o||o==="tool"?n.push(s):o==="status"?t.status.push(...$c(s).flatMap(r=>fc[r]??[r])):t[dc[o]]=s;return{...t,text:n.join(" ")}}function gc(e,t){let n=e.filter(s=>s.field!==t.field||s.value!==t.value);if(n.length<e.length)return n;let o=t.field==="status"||t.field==="only";return[...e.filter(s=>!o||s.field!=="status"&&s.field!=="only"),t]}var dc,jo,Mr,uc,fc,$c,Cr=E(()=>{dc={status:"status",agent:"actor",client:"client",task:"task_id",plan:"plan_id",tool:"tool",only:"only",since:"since",until:"until"},jo={...Object.fromEntries(["running","interrupted","paused","unwinding","completed","failed","cancelled","closed"].map(e=>[e,[e]])),waiting:["waiting","blocked"]},Mr=["running","blocked","paused","unwinding"],uc=[["status:",`${Object.keys(jo).join(", ")}, or open`],["agent:","the agent that started it"],["client:","claude-code, codex-cli, …"],["task:","the task of the execution"],["tool:","a tool that was called"],["only:","in_doubt, owed, waiting, interrupted or working"],["since:","2d, 4h or a date; until: too"]];fc={...jo,open:Mr,blocked:["blocked"],"waiting for a person":jo.waiting},$c=e=>e.split(",").map(t=>t.trim().toLowerCase())});function an({row:e,selected:t,index:n,onFocus:o}){return i`<div class=${ee("exec",t&&"exec-selected")} role="listitem" data-index=${n}>
    <span class="exec-state"><${K} state=${At(e)} /></span>
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
      <${It} row=${e} running=${At(e)==="running"} failed=${!!e.failed&&!["running","completed"].includes(e.status)} />
      ${e.total_steps?i`<span class="exec-step cut">${rt(e)}${e.step&&e.status!=="completed"?i` · ${e.step}`:null}</span>`:null}
    </span>
    <span class="exec-flags"><${um} row=${e} /></span>
    <span class="exec-last"><${pm} row=${e} /></span>
  </div>`}function um({row:e}){let t=e.failed??e.actions?.failed??0;return i`
    ${e.waiting?i`<${ne} tone="waiting" icon="blocked" title="Approvals pending">${e.waiting} pending</${ne}>`:null}
    ${e.in_doubt?i`<${ne} tone="doubt" icon="in_doubt" title="Actions with an unknown outcome">${e.in_doubt} in doubt</${ne}>`:null}
    ${t?i`<${ne} tone="failed" icon="failed" title="Actions that failed">${t} failed</${ne}>`:null}
    ${e.owed?i`<${ne} tone="undo" icon="owed" title="Somebody still has to undo this">${e.owed} owed</${ne}>`:null}
  `}function pm({row:e}){return e.interrupted?i`<span class="quiet" title=${`last worked on by ${e.interrupted_by||"a session"} (${e.last_session})`}><${N} at=${e.interrupted} lead="left " /></span>`:["running","unwinding"].includes(At(e))?i`<${fm} at=${e.last} />`:i`<${N} at=${Mr.includes(e.status)?e.last:e.ended||e.last} />`}function fm({at:e}){let t=we()-Date.parse(e)>dm;return i`<span class=${t?"quiet":null}><${N} at=${e} lead=${t?"quiet for ":""} /></span>`}function bc({group:e,count:t,by:n,more:o}){return i`<div class="exec-group" role="listitem">
    <strong>${e||`no ${n}`}</strong><span class="faint">${t}${o?"+":""}</span>
  </div>`}var dm,qo=E(()=>{v();U();z();Cr();dm=12e4});function Jn(e,t){if(!e)return{text:"no time limit",urgency:"none",next:1/0};let n=Date.parse(e)-t;if(n<=0)return{text:"expired",urgency:"over",next:1/0};let o=n<=Tm?"soon":"calm",[s,r]=Em.find(([,c])=>n>=2*c)??["s",1e3],a=r===1e3,l=a?Math.ceil(n/r):Math.floor(n/r);return{text:`${l} ${s} left`,urgency:o,next:a?n-(l-1)*r:n-l*r+1}}function wc(e){let t=n=>n.expires?Date.parse(n.expires):1/0;return e.toSorted((n,o)=>(t(n)===t(o)?0:t(n)-t(o))||(n.id<o.id?-1:1))}var Em,Tm,zo=E(()=>{Em=[["d",864e5],["h",36e5],["min",6e4]],Tm=10*6e4});function Ic(){return Re(e=>{e?.kind==="approval_requested"&&Oc()&&!document.hasFocus()&&Pm(e)}),null}function Pm(e){let t=typeof e.body?.question=="string"?e.body.question:"An agent has a question.",n=new Notification(_e(t.slice(0,200)),{body:`${_e(e.facts?.tool||e.actor)} is waiting for you`,tag:e.id});n.onclick=()=>{window.focus(),ce(x(`/approvals/${e.id}`)),n.close()}}function Nc(){let[e,t]=h(Oc);return Ac()?i`<${w} icon="bell" pressed=${e} onClick=${async()=>{if(e)return localStorage.removeItem(Nr),t(!1);if(await Notification.requestPermission()!=="granted")return $e("The browser does not allow notifications. Change its settings for this site.","failed");localStorage.setItem(Nr,"yes"),t(!0)}}>Notify me<//>`:null}var Nr,Ac,Oc,Lr=E(()=>{v();te();U();He();Kt();We();Nr="tallystick.notify",Ac=()=>"Notification"in window&&window.isSecureContext,Oc=()=>localStorage.getItem(Nr)==="yes"&&Ac()&&Notification.permission==="granted"});function zc({approvals:e,onVerdict:t,onClear:n}){return i`<div class="batch-bar" role="region" aria-label="Selected questions">
    <strong>${e.length} selected</strong>
    <${w} kind="primary" icon="check" onClick=${()=>t("approve")}>Accept<//>
    <${w} icon="close" onClick=${()=>t("reject")}>Reject<//>
    <${w} kind="ghost" onClick=${n}>Clear<//>
  </div>`}function Fc({approvals:e,verdict:t,onClose:n}){let[o,s]=h(""),[r,a]=h({}),[l,c]=h(!1),[d]=h(()=>Object.fromEntries(e.map(g=>[g.id,on()]))),u=t==="approve",p=Object.keys(r).length,$=()=>n(Object.values(r).filter(g=>g.ok).map(g=>g.id)),f=async g=>{g.preventDefault(),c(!0);for(let b of e){let C={verdict:t,...o.trim()?{reason:o.trim()}:{}},M=await rh(b.id,C,d[b.id]);a(y=>({...y,[b.id]:M}))}};return i`<${Ze} wide title=${`${u?"Accept":"Reject"} ${e.length} questions`} onClose=${$}>
    <form class="batch" onSubmit=${f}>
      <p class="soft">Each question is decided separately, and bound to its own exact arguments. If one fails, the others are still decided.</p>
      <ul class="batch-rows">
        ${e.map(g=>i`<li key=${g.id}>
          <div class="batch-question">
            <span><${m} text=${g.question} /></span>
            ${g.tool&&i`<pre class="batch-call" tabindex="0"><${m} text=${g.tool} /> <${De} text=${et(g.arguments??{})} /></pre>`}
          </div>
          <${ih} outcome=${r[g.id]} sent=${l} />
        </li>`)}
      </ul>
      ${l?i`<p role="status">${p<e.length?`Deciding ${p+1} of ${e.length}…`:ah(r)}</p>
            <${w} kind="primary" disabled=${p<e.length} onClick=${$}>Close<//>`:i`<label class="field"><span>One reason for all</span>
              <input type="text" value=${o} maxlength="2000" onInput=${g=>s(g.target.value)} /></label>
            <div class="verdict-send">
              <${w} kind=${u?"primary":"danger"} type="submit" icon=${u?"check":"close"}>
                ${u?"Accept":"Reject"} all ${e.length}
              <//>
              <${w} kind="ghost" onClick=${$}>Not yet<//>
            </div>`}
    </form>
  <//>`}function ih({outcome:e,sent:t}){return e?i`<span class=${`batch-outcome tone-${e.ok?"ok":"failed"}`}>
    <${k} name=${e.ok?"check":"warning"} /> ${e.ok?Rt(e.status):e.problem}
  </span>`:i`<span class="batch-outcome faint">${t?"waiting":""}</span>`}function ah(e){let t=Object.values(e),n=t.filter(o=>o.ok).length;return n===t.length?`All ${n} were decided.`:`${n} of ${t.length} were decided; the others show the reason.`}var rh,Hc=E(()=>{G();v();oe();z();je();nn();Rn();rh=Mo({get:T,post:Te})});function qt(e,t){return e.status==="pending"&&Jn(e.expires??"",t).urgency==="over"?"expired":e.status}function Uo({expires:e=""}){let t=me("zone"),{text:n,urgency:o}=Jn(e,we());return o==="none"?i`<span class="expiry faint">${n}</span>`:i`<time class=${`expiry expiry-${o}`} dateTime=${e} title=${`expires ${en(e,t)}`}>
    <${k} name=${o==="soon"?"warning":"late"} size=${14} /> ${n}
  </time>`}var Wo=E(()=>{v();oe();mt();Ve();zo()});function Uc({approval:e}){let{data:t}=D({by:[e.id],kinds:["body_erased"]},r=>ch(e,r));if(!t||!e.execution_id)return null;let{why:n,plan:o,actions:s}=t;return i`<aside class="background" aria-label="Background">
    ${n&&i`<section><h3>Why it is asked</h3><p><${m} text=${n} /></p></section>`}
    ${o&&(o.reasoning||o.goal)&&i`<section><h3>The plan</h3>
      <p><a href=${x(`/plans/${o.id}`)}><${m} text=${o.title||o.id} /></a></p>
      ${o.goal&&i`<p class="soft">Goal: <${m} text=${o.goal} /></p>`}
      ${o.reasoning&&i`<p class="soft">Reason: <${m} text=${o.reasoning} /></p>`}
      ${o.reason&&i`<p class="soft">Revised: <${m} text=${o.reason} /></p>`}</section>`}
    <section><h3>Done before</h3>
      ${s.length?i`<ol class="background-actions">${s.map(r=>i`<li key=${r.id}>
            <a href=${x(`/x/${e.execution_id}`,{action:r.id})}><${m} text=${Gl(r)} /></a>
            <span class="background-state"><${K} state=${r.state} quiet /><span class="faint"><${N} at=${r.begun} /></span></span>
          </li>`)}</ol>`:i`<p class="soft">Nothing was recorded before the question.</p>`}</section>
  </aside>`}async function ch(e,t){let n=e.execution_id;if(!n)return{why:"",plan:null,actions:[]};let[o,s,r]=await Promise.all([dh(e,t),e.plan_id?T(`/v1/plans/${encodeURIComponent(e.plan_id)}`,{},{signal:t}).catch(()=>null):null,T("/v1/actions",{execution_id:n,until:e.asked,newest_first:!0,limit:lh},{signal:t})]),a=s?.revisions?.reduce((l,c)=>c.revision>l.revision?c:l);return{why:o,plan:a||null,actions:r.actions}}async function dh(e,t){let o=(await T("/v1/entries",{id:e.id,execution_id:e.execution_id,limit:1},{signal:t})).entries[0]?.seq;if(!o)return"";let r=(await T("/v1/entries",{execution_id:e.execution_id,after:o,limit:1},{signal:t})).entries[0];return r?.facts?.approval_id===e.id&&r.body?.why||""}var lh,Wc=E(()=>{G();xr();v();te();U();z();lh=5});function Gc(e){let t=e.failure_policy??"manual_decision";return typeof t=="string"?{action:t,reason:"",to:[]}:{action:t.action??"manual_decision",reason:t.reason??"",to:t.propagate_to??[]}}function Ko(e){return e?typeof e=="string"?{words:e,tool:""}:e.words||e.tool?{words:e.words??"",tool:e.tool??"",arguments:e.arguments}:null:null}function Jc(e,t){let n=new Map(e.map((a,l)=>[a.id,l])),o=t.filter(a=>n.has(a.id)).map(a=>a.id),s=e.filter(a=>t.some(l=>l.id===a.id)).map(a=>a.id),r=t.map(a=>{let l=n.get(a.id);if(l===void 0)return{id:a.id,change:"added",after:a,fields:[]};let c=xo(e[l],a),d=[...new Set(c.map($=>_o($.path.slice(0,1))))],u=o.indexOf(a.id)!==s.indexOf(a.id),p=d.length?"changed":u?"moved":"same";return{id:a.id,change:p,before:e[l],after:a,fields:d}});return e.forEach((a,l)=>{if(t.some(u=>u.id===a.id))return;let c=e.slice(l+1).find(u=>r.some(p=>p.id===u.id)),d=c?r.findIndex(u=>u.id===c.id):r.length;r.splice(d,0,{id:a.id,change:"removed",before:a,fields:[]})}),r}function Yc(e,t){return["title","goal","reasoning"].filter(n=>(e[n]??"")!==(t[n]??"")).map(n=>({name:n,before:e[n]??"",after:t[n]??""}))}var Kc,Vc,Vo=E(()=>{wo();Kc={reversible:{word:"reversible",icon:"unwinding",tone:"ok"},"partially-reversible":{word:"partly reversible",icon:"owed",tone:"doubt"},irreversible:{word:"irreversible",icon:"cancelled",tone:"failed"}},Vc={cancel_all:"cancel all",cancel_dependent:"cancel dependent steps",continue_others:"continue other steps",manual_decision:"a person or agent decides"}});function Xc({steps:e,chosen:t=""}){return i`<ol class="steps">
    ${e.map((n,o)=>i`<li key=${n.id} id=${`step-${n.id}`} class=${n.id===t?"is-chosen":null}>
      <span class="step-number num" aria-hidden="true">${o+1}</span>
      <div class="step-body"><${Pr} step=${n} /></div>
    </li>`)}
  </ol>`}function Pr({step:e}){return i`
    <div class="step-head">
      <h3><${m} text=${e.title||e.id} /></h3>
      <code class="soft"><${m} text=${e.id} /></code>
      <span class="step-end">
        ${e.needs_approval&&i`<${ne} tone="waiting" icon="person">needs approval<//>`}
        <${jr} step=${e} />
      </span>
    </div>
    <dl class="step-facts">
      ${e.tool&&i`<div><dt>tool</dt><dd><code><${m} text=${e.tool} /></code> <span class="soft">${e.effect??"unsafe"}</span></dd></div>`}
      <div><dt>after</dt><dd>${e.after?.length?e.after.map((t,n)=>i`${n?", ":""}<a href=${`#step-${t}`} data-native><${m} text=${t} /></a>`):i`<span class="faint">nothing</span>`}</dd></div>
      <div><dt>undo</dt><dd><${uh} step=${e} /></dd></div>
      <div><dt>if it fails</dt><dd><${ph} step=${e} /></dd></div>
      <div><dt>estimate</dt><dd>${e.estimate===void 0||e.estimate===null?i`<span class="faint">none</span>`:ue(e.estimate*1e3)}</dd></div>
      ${e.probe?i`<div><dt>probe</dt><dd><${m} text=${typeof e.probe=="string"?e.probe:e.probe.words||e.probe.tool} /></dd></div>`:null}
    </dl>
    ${e.arguments&&Object.keys(e.arguments).length?i`<details class="step-arguments"><summary>Arguments</summary><${ae} value=${e.arguments} label=${`arguments of ${e.id}`} whole /></details>`:null}`}function jr({step:e}){let{word:t,icon:n,tone:o}=Kc[e.cancellable]??{word:e.cancellable,icon:"planned",tone:"idle"};return i`<${ne} tone=${o} icon=${n}>${t}<//>`}function uh({step:e}){let t=Ko(e.undo),n=e.undo_until?i` <span class="soft">until ${e.undo_until} after its end</span>`:null;return t?i`<${m} text=${t.words} />${t.tool&&i` <code><${m} text=${t.tool} /> ${t.arguments&&i`<${m} text=${se(t.arguments)} />`}</code>`}${n}`:e.effect==="read"?i`<span class="faint">it only reads</span>`:e.cancellable==="irreversible"?i`<span class="faint">cannot be undone</span>`:i`<span class="step-warning"><${k} name="warning" size=${14} /> no undo recorded</span>`}function ph({step:e}){let{action:t,reason:n,to:o}=Gc(e);return i`${Vc[t]??t}${o.length?i` (<${m} text=${o.join(", ")} />)`:null}${n&&i` <span class="soft">because <${m} text=${n} /></span>`}`}var Go=E(()=>{v();oe();Le();z();Vo()});function od(e){let t=nd(e);return hh.test(t)?"switch":gh.test(t)?"amount":bh.test(t)?"target":""}function yh(e,t){return/^dry_?run$/.test(nd(e))?t===!0?"a rehearsal":t===!1?"not a rehearsal":"":t===!0?"is on":""}function zr(e){let t={first:[],plain:[],lists:[],nested:[]};if(!Bt(e)||Array.isArray(e))return Array.isArray(e)&&t.lists.push(["arguments",e]),t;for(let[n,o]of Object.entries(e))Array.isArray(o)&&o.length?t.lists.push([n,o]):Bt(o)&&Object.keys(o).length?t.nested.push([n,o]):sd(t,[n],o);for(let[n,o]of t.nested)rd(t,[n],o);return t.first.sort((n,o)=>Qc.indexOf(n.danger)-Qc.indexOf(o.danger)),t}function sd(e,t,n){let o=t[t.length-1],s=od(o),r={path:t,value:n,danger:s,note:s==="switch"?yh(o,n):""};(s?e.first:e.plain).push(r)}function rd(e,t,n){if(!(!Bt(n)||Array.isArray(n)||t.length>=fh))for(let[o,s]of Object.entries(n))Bt(s)?rd(e,[...t,o],s):od(o)&&sd(e,[...t,o],s)}function ad(e){return e.length>1&&e.every(n=>Bt(n)&&!Array.isArray(n))?[...new Set(e.flatMap(n=>Object.keys(n)))]:[]}function Fr(e){let t=e.map(s=>typeof s=="number"||s instanceof Ee?String(s):"");if(t.every(s=>xh.test(s)))return _h(t);let n=new Map;for(let s of e){let r=se(s,{sorted:!0});n.set(r,(n.get(r)||0)+1)}if(n.size===1)return`the same in all ${e.length}: ${qr([...n.keys()][0])}`;if(n.size<=mh)return[...n].map(([s,r])=>`${r} × ${qr(s)}`).join(", ");let o=[...n.values()].filter(s=>s>1).length;return`${n.size} different${o?`, ${o} of them more than once`:""}`}function _h(e){let t=Math.max(...e.map(l=>(l.split(".")[1]||"").length)),n=e.map(l=>BigInt(l.replace(".","")+"0".repeat(t-(l.split(".")[1]||"").length))),o=n.toSorted((l,c)=>l<c?-1:l>c?1:0),[s,r]=[o[0],o[o.length-1]].map(l=>Zc(l,t)),a=Zc(n.reduce((l,c)=>l+c,0n),t);return`${s===r?`each ${s}`:`${s} to ${r}`}, together ${a}`}function Zc(e,t){let n=String(e<0n?-e:e).padStart(t+1,"0"),o=t?`${n.slice(0,-t)}.${n.slice(-t)}`:n;return e<0n?`-${o}`:o}function ld(e,t){let{first:n,plain:o,lists:s,nested:r}=zr(t),a=new Set(r.map(([u])=>u)),l=[...n,...o].map(({path:u,value:p})=>`${u.map(Ie).join(".")} ${qr(se(p))}`),c=[...a].filter(u=>!n.some(({path:p})=>p[0]===u));return[/\s/.test(e)?JSON.stringify(e):e,...l,...s.map(([u,p])=>`${p.length} ${Ie(u)}`),...c.map(u=>`${Ie(u)} {…}`)].filter(Boolean).join(" · ")}function cd(e,t){let n=Br(e,t);return{undo:n,waits:vh.test(typeof n=="string"?n:se(n??null))}}function Br(e,t){if(Array.isArray(e))return e.map(o=>Br(o,t));if(Bt(e))return Object.fromEntries(Object.entries(e).map(([o,s])=>[o,Br(s,t)]));if(typeof e!="string")return e;let n=e.match(/^\$\{arguments((?:\.[^.{}]+)+)\}$/);return n?td(n[1],t)??e:e.replace(wh,(o,s)=>{let r=td(s,t);return r===void 0?o:typeof r=="string"?r:se(r)})}function td(e,t){for(let n of e.split(".").slice(1)){if(!Bt(t)||!Object.hasOwn(t,n))return;t=t[n]}return t===null||typeof t=="string"&&t.startsWith("[masked")?void 0:t}var fh,$h,mh,hh,gh,bh,nd,Bt,Qc,id,xh,ed,qr,wh,vh,Hr=E(()=>{dt();Le();We();fh=4,$h=8,mh=3,hh=/^(dry_?run|forced?|recursive|overwrite|confirm(ed)?|yes|all|permanent(ly)?|hard|purge|cascade|prune|wipe|unsafe|insecure|public|sudo|privileged|auto_?approve|(no|skip|allow|ignore|delete|disable)_\w+)$/,gh=/(^|_)(amount|total|sum|price|cost|fee|budget|currency|quantity|count|limit|max|percent|rate|days|replicas)$/,bh=/(^|_)(to|target|destination|dest|recipients?|host(name)?|server|ur[li]|path|file(name)?|dir(ectory)?|folder|bucket|branch|env(ironment)?|region|cluster|namespace|database|db|table|account|user|email|role|project|tenant|domain|channel|command|cmd|query|sql|script)$/,nd=e=>e.replace(/([a-z0-9])([A-Z])/g,"$1_$2").replace(/[\s.-]+/g,"_").toLowerCase(),Bt=e=>typeof e=="object"&&e!==null&&!(e instanceof Ee);Qc=["switch","amount","target"];id=e=>e.length>$h;xh=/^-?\d+(?:\.\d+)?$/;ed=40,qr=e=>e.length>ed?`${e.slice(0,ed)}…`:e;wh=/\$\{arguments((?:\.[^.{}]+)+)\}/g,vh=/\$\{result[^{}]*\}/});function ud({approval:e}){let t=e.arguments,n=t==null||!Object.keys(t).length;return i`<${R} class="call" level=${3} actions=${e.cancellable&&i`<${jr} step=${e} />`} title=${i`${e.unbound?"A call of":"Exactly this call:"} <code><${m} text=${e.tool||"unnamed tool"} /></code>`}>
    ${n?i`<p class="soft">No arguments.</p>`:i`<${Sh} value=${t} />`}
    <${Ih} approval=${e} />
    ${e.digest&&!e.edited&&i`<p class="soft digest">An answer is bound to this call by its digest <code>${e.digest.slice(0,16)}…</code><${be} text=${e.digest} what="the digest" /></p>`}
  <//>`}function Sh({value:e}){let{first:t,plain:n,lists:o,nested:s}=zr(e),r=se(e).includes("[masked:");return i`<div class="call-arguments" role="group" aria-label="Arguments">
    ${t.length?i`<div class="call-first"><h4>Check first</h4><${dd} fields=${t} /></div>`:null}
    ${n.length?i`<${dd} fields=${n} />`:null}
    ${s.map(([a,l])=>i`<div class="call-part" key=${a}><h4><code><${m} text=${Ie(a)} /></code></h4><${ae} value=${l} label=${a} whole /></div>`)}
    ${o.map(([a,l])=>i`<${Eh} key=${a} name=${a} list=${l} />`)}
    ${r&&i`<p class="note"><${k} name="warning" size=${14} /> A secret is masked here. The call is bound to the real value, which nobody can read.</p>`}
    <${Oh} value=${e} />
  </div>`}function dd({fields:e}){return i`<dl class="call-fields">
    ${e.map(({path:t,value:n,danger:o,note:s})=>i`<div key=${t.join(".")} class=${o==="switch"?"call-field is-switch":"call-field"}>
      <dt><code><${m} text=${t.map(Ie).join(".")} /></code></dt>
      <dd><${Zt} value=${n} />${s&&i` <span class="call-note"><${k} name="warning" size=${14} /> ${s}</span>`}</dd>
    </div>`)}
  </dl>`}function Eh({name:e,list:t}){let[n,o]=h(""),[s,r]=h(!1),a=Me(),l=id(t),c=t.map(($,f)=>({value:$,at:f})).filter(({value:$})=>!n||Th($).includes(n.toLowerCase())),d=s||!l?c:c.slice(0,kh),u=ad(t),p=c.length-d.length;return i`<section class="call-part call-list" aria-labelledby=${a}>
    <h4 id=${a}><code><${m} text=${Ie(e)} /></code> <span class="call-count">${t.length} ${t.length===1?"item":"items"}</span></h4>
    ${l&&i`<${Mh} list=${t} columns=${u} />`}
    ${l&&i`<label class="call-filter"><span class="visually-hidden">Filter ${e}</span>
      <input type="search" placeholder=${`Filter the ${t.length} items`} value=${n} onInput=${$=>o($.target.value)} /></label>`}
    ${u.length?i`<${Ch} name=${e} rows=${d} columns=${u} />`:i`<${Ah} rows=${d} />`}
    ${l&&i`<p class="call-more" role="status">
      ${n?`${c.length} of ${t.length} match. `:""}${p>0?i`<strong>${p} more ${p===1?"item is":"items are"} not shown.</strong> `:`All ${c.length} are shown.`}
      ${p>0&&i`<button type="button" class="button button-plain" onClick=${()=>r(!0)}>Show all ${c.length}</button>`}
    </p>`}
  </section>`}function Mh({list:e,columns:t}){return t.length?i`<dl class="call-summary">${t.map(n=>{let o=e.filter(r=>Object.hasOwn(r,n)).map(r=>r[n]),s=e.length-o.length;return i`<div key=${n}><dt><code><${m} text=${Ie(n)} /></code></dt><dd><${m} text=${`${Fr(o)}${s?`, missing in ${s}`:""}`} /></dd></div>`})}</dl>`:i`<p class="call-summary"><${m} text=${Fr(e)} /></p>`}function Ch({name:e,rows:t,columns:n}){return i`<div class="table-scroll" tabindex="0" role="region" aria-label=${`Items of ${e}`}>
    <table class="table call-table">
      <thead><tr><th scope="col">item</th>${n.map(o=>i`<th scope="col"><code><${m} text=${Ie(o)} /></code></th>`)}</tr></thead>
      <tbody>${t.map(({value:o,at:s})=>i`<tr key=${s}><th scope="row" class="num">${s+1}</th>
        ${n.map(r=>i`<td>${Object.hasOwn(o,r)?i`<${pd} value=${o[r]} />`:i`<span class="faint">missing</span>`}</td>`)}</tr>`)}</tbody>
    </table>
  </div>`}function Ah({rows:e}){return i`<ol class="call-items">${e.map(({value:t,at:n})=>i`<li key=${n}><span class="faint num">${n+1}</span> <${pd} value=${t} /></li>`)}</ol>`}function pd({value:e}){return typeof e=="object"&&e!==null&&!(e instanceof Ee)?i`<code class="call-json"><${De} text=${se(e)} /></code>`:i`<${Zt} value=${e} />`}function Oh({value:e}){let[t,n]=h(!1),o=se(e,{indent:2});return i`<details class="call-whole" onToggle=${s=>n(s.target.open)}>
    <summary>All arguments as JSON <span class="faint">${o.length} characters</span></summary>
    ${t&&i`<pre class="text" tabindex="0"><${De} text=${o} /></pre>`}
  </details>`}function Ih({approval:e}){if(!e.cancellable)return null;let{undo:t,waits:n}=cd(e.undo,e.arguments),o=Ko(t);return i`<div class="call-undo">
    <p>${e.cancellable==="irreversible"?i`<span class="soft">It cannot be undone.</span>`:o?i` <span class="soft">To undo it:</span> <${m} text=${o.words} />${o.tool&&i` <code><${m} text=${o.tool} /></code>`}`:i` <span class="soft">No undo is recorded.</span>`}</p>
    ${o?.tool&&o.arguments&&Object.keys(o.arguments).length?i`<${ae} value=${o.arguments} label="arguments of the undo" whole />`:null}
    ${n&&i`<p class="soft">A part of it, written <code>\${result…}</code>, is known after the call.</p>`}
  </div>`}var kh,Th,fd=E(()=>{v();oe();dt();Le();Go();Vo();z();An();je();We();Hr();kh=8;Th=e=>(typeof e=="string"?e:se(e)).toLowerCase()});function md({approval:e,onChoose:t,last:n=""}){let{options:o=[]}=e,s=A(null);_(()=>{n&&s.current?.querySelector(`.verdict-${n}`)?.focus()},[]);let r=a=>{Is(cn(e),{..._n(cn(e)),verdict:"respond",answer:a}),t("respond")};return i`<div class="verdict-bar" ref=${s}>
    ${o.length?i`<div class="verdict-options" role="group" aria-label="Offered by the agent">
          <span class="soft">${it(e)?"Answer without granting the call:":"Answer:"}</span>
          ${o.map(a=>i`<${w} key=${a} kind=${it(e)?"plain":"primary"} class="verdict-option" onClick=${()=>r(a)}><${m} text=${a} /><//>`)}
        </div>`:null}
    <div class="verdicts" role="group" aria-label="Answer" tabindex="-1">
      ${Object.entries(Ln).filter(([a])=>Ur(e,a)).map(([a,{verb:l,key:c}])=>i`<${w}
          key=${a} kind=${a==="approve"?"primary":"plain"} icon=${$d[a]}
          class=${`verdict verdict-${a}`} aria-keyshortcuts=${c} onClick=${()=>t(a)}
        >${l}<//>`)}
    </div>
  </div>`}function Ur(e,t){return t==="edit"?it(e):t!=="approve"||it(e)||!!e.step||!e.options?.length}function hd(e){let{verdict:t=""}=_n(cn(e));return t in Ln?t:""}function gd({approval:e,verdict:t,decide:n,over:o=!1,onSend:s,onDone:r,onCancel:a}){let l=wa(et(e.arguments??{})),[c,d,u]=lo(cn(e),{reason:"",answer:"",text:l,key:"",sent:""}),[p,$]=h(!1),[f,g]=h(!1),b=A(null),C=Me(),M=Ja(e,t,c),y="problem"in M?M:null,S=I=>P=>d({verdict:t,[I]:P.target.value});_(()=>{let I=matchMedia("(pointer: coarse)").matches&&t!=="edit";b.current?.querySelector(I?"[type=submit]":"textarea, input")?.focus({preventScroll:!0})},[t]);let O=async I=>{if(I.preventDefault(),$(!0),y||f||o)return;g(!0),s?.();let{body:P}=M,q=se(P),W=c.sent===q&&c.key?c.key:on();d({verdict:t,sent:q,key:W});let J=await n(e.id,P,W);J.ok&&u(),g(!1),r(J)},V=()=>{o?u():d({verdict:""}),a()};return i`<form class="verdict-form" ref=${b} onSubmit=${O} onKeyDown=${I=>{I.key==="Escape"&&(I.stopPropagation(),V()),I.key==="Enter"&&(I.metaKey||I.ctrlKey)&&O(I)}} aria-labelledby=${`${C}-title`}>
    <h3 id=${`${C}-title`}>${Nh[t]}</h3>
    ${t==="edit"&&i`<${Rh} approval=${e} text=${c.text} onInput=${S("text")} />`}
    ${t==="respond"&&i`<${Dh} approval=${e} value=${c.answer} onInput=${S("answer")} onPick=${I=>d({verdict:t,answer:I})} />`}
    <label class="field">
      <span>Reason <span class="faint">recorded in the journal, and shown to the agent</span></span>
      <input type="text" value=${c.reason} onInput=${S("reason")} autocomplete="off" maxlength="2000" />
    </label>
    <p class="field-problem" role="alert">${p&&y?y.problem:""}</p>
    <div class="verdict-send">
      <${w} kind=${t==="reject"?"danger":"primary"} type="submit" disabled=${f||o} icon=${$d[t]}>${Lh[t]}<//>
      <${w} kind="ghost" onClick=${V}>${o?"Close":"Not yet"}<//>
    </div>
  </form>`}function Rh({approval:e,text:t,onInput:n}){let o=Me(),s=ur(t),r=se(e.arguments??{}).includes("[masked:");return i`<div class="editor">
    <label class="field" for=${o}><span>Arguments of <code><${m} text=${e.tool||"the call"} /></code>, as JSON</span></label>
    <textarea
      id=${o} class="editor-text" spellcheck="false" autocapitalize="off" autocomplete="off"
      rows=${Math.min(18,Math.max(5,t.split(`
`).length+1))} value=${t}
      aria-invalid=${"problem"in s?"true":null} aria-describedby=${`${o}-status`} onInput=${n}
    ></textarea>
    <p id=${`${o}-status`} class="editor-status" role="status">
      ${"problem"in s?i`<${k} name="warning" size=${14} /> ${s.problem}`:i`<${k} name="check" size=${14} /> Valid JSON`}
    </p>
    ${r&&i`<p class="note"><${k} name="warning" size=${14} /> A secret is masked here. If you send it, the mask is granted as text.</p>`}
    ${"value"in s&&i`<${qe} before=${e.arguments??{}} after=${s.value} titles=${["asked","granted"]} />`}
    <p class="note soft">
      An edit makes a new digest: the agent may call <code><${m} text=${e.tool||"the tool"} /></code> once, with exactly these
      arguments. The original call is not granted.
    </p>
  </div>`}function Dh({approval:e,value:t,onInput:n,onPick:o}){return i`
    ${e.options?.length?i`<${ie} label="Suggested answers" value=${t} choices=${e.options.map(s=>[s,i`<${m} text=${s} />`])} onChange=${o} />`:null}
    <label class="field">
      <span>Answer <span class="faint">shown to the agent; it grants no call</span></span>
      <textarea rows="3" value=${t} onInput=${n} required></textarea>
    </label>`}var $d,it,cn,Nh,Lh,Wr=E(()=>{Wt();v();oe();Le();He();tr();An();je();We();nn();Rn();$d={approve:"check",edit:"edit",reject:"close",respond:"reply"};it=e=>!!(e.tool||e.arguments);cn=e=>io("approval",e.id,e.asked);Nh={approve:"Grant exactly what is shown above",edit:"Grant other arguments instead",reject:"Reject the call",respond:"Answer the agent without granting a call"},Lh={approve:"Accept exactly this",edit:"Grant the edited call",reject:"Reject it",respond:"Send the answer"}});function bd({approval:e,mayDecide:t,verdict:n,onVerdict:o,onSend:s,onDone:r,rejection:a}){let l=qt(e,we()),c=l==="pending";return i`<article class="question" aria-labelledby="question-title">
    <header class="question-head">
      <div class="question-line">
        <${K} state=${l} />
        ${e.status==="pending"&&i`<${Uo} expires=${e.expires} />`}
        <span class="question-handle"><${Ue} id=${e.id} /></span>
      </div>
      <h2 id="question-title"><${m} text=${e.question||"Question without text"} /></h2>
      <p class="soft">
        Asked ${e.actor&&i`by <strong><${m} text=${e.actor} /></strong> `}<${N} at=${e.asked} />
        ${e.execution_id&&i` in <a href=${x(`/x/${e.execution_id}`)}><${m} text=${e.title||e.execution_id} /></a>`}
        ${e.step&&i`, for the step <a href=${x(`/x/${e.execution_id}`,{step:e.step})}><${m} text=${e.step_title||e.step} /></a>`}
      </p>
    </header>
    <div class="question-body">
      <div class="question-main">
        ${it(e)?i`<${ud} approval=${e} />`:!e.unbound&&i`<p class="note">It asks in words only: an answer grants no call.</p>`}
        ${e.unbound&&i`<p class="warning-note"><${k} name="warning" /> This approval is not bound to an exact call. It grants <${m} text=${e.unbound} />.</p>`}
        ${e.options?.length&&!(c&&t)?i`<p class="soft">Suggested answers: ${e.options.map((d,u)=>i`${u?", ":""}<strong><${m} text=${d} /></strong>`)}</p>`:null}
        ${c?null:i`<${qh} approval=${e} status=${l} />`}
        <${Bh} approval=${e} />
      </div>
      <${Uc} approval=${e} />
    </div>
    <div class=${ee("dock",(c||n)&&"dock-pending")}>
      ${a&&i`<p class="warning-note" role="alert"><${k} name="warning" /> ${a}</p>`}
      ${(c||n)&&i`<${jh} over=${!c} approval=${e} mayDecide=${t} verdict=${n} onVerdict=${o} onSend=${s} onDone=${r} />`}
    </div>
  </article>`}function jh({approval:e,over:t,mayDecide:n,verdict:o,onVerdict:s,onSend:r,onDone:a}){let l=A(""),c=A(null),d=A(!1);return _(()=>{n&&d.current&&!o&&c.current?.querySelector(".verdicts")?.focus(),d.current=n===!1},[n]),o&&(l.current=o),Se()?i`<p class="note"><${k} name="import" /> This is an imported export: nothing can be decided in it.</p>`:n===null||t&&!n?null:n?i`<div class=${ee("answering",o&&"is-open")} ref=${c}>
    ${it(e)&&i`<p class="dock-call" title="The call in short; above, all of it"><${m} text=${ld(e.tool||"",e.arguments)} /></p>`}
    ${o?i`<${gd} key=${e.id+o} approval=${e} verdict=${o} decide=${Ph} over=${t} onSend=${r} onDone=${a} onCancel=${()=>s("")} />`:i`<div class="answering-bar">
          <${md} approval=${e} onChoose=${s} last=${l.current} />
          <p class="soft answering-note">${e.expires?"After the time limit it expires: a timeout is never a yes.":"There is no time limit. Silence is never a yes."}</p>
        </div>`}
  </div>`:i`${o&&i`<p class="note" role="status"><${k} name="save" /> What you typed is kept in this browser.</p>`}<${Je} />`}function qh({approval:e,status:t}){return t==="expired"?i`<p class="note">
      <${k} name="late" /> It expired <${N} at=${e.expires??""} /> without an answer. A timeout is never a
      yes: nothing was granted, and the agent has to ask again.
    </p>`:t==="closed"?i`<p class="note"><${k} name="late" /> Its execution ended without an answer. Nothing was granted.</p>`:i`<${R} level=${3} title="Answer">
    <${Ne} rows=${[["by",e.decided_by&&i`<${m} text=${e.decided_by} />`],["in",e.answered_in&&i`<${m} text=${e.answered_in} />`],["when",i`<${N} at=${e.decided??""} form="absolute" />`],["reason",e.reason&&i`<${m} text=${e.reason} />`],["answer",e.answer&&i`<${m} text=${e.answer} />`],["used by",e.used_by&&i`<a href=${x(`/x/${e.execution_id}`,{action:e.used_by})}><code>${e.used_by}</code></a>`],["used",!e.used_by&&(t==="approve"||t==="edit")?"not yet: valid for one call":""]]} />
    ${e.edited!==void 0&&e.edited!==null?i`<h4>Granted instead</h4>
          <${qe} before=${e.arguments??{}} after=${e.edited} titles=${["asked","granted"]} />`:null}
  <//>`}function Bh({approval:e}){let[t,n]=h(!1);return _(()=>n(!1),[e.id]),i`<details class="evidence" open=${t} onToggle=${o=>n(o.target.open)}>
    <summary>Entries in the journal</summary>
    ${t&&i`<${zh} approval=${e} />`}
  </details>`}function zh({approval:e}){let{data:t}=D({by:[e.id,e.status],kinds:["approval_"]},n=>T("/v1/entries",{id:e.id,execution_id:e.execution_id,newest_first:!0,limit:10},{signal:n}));return t?i`<ul class="evidence-rows">
    ${t.entries.toReversed().map(n=>i`<li key=${n.seq}>
      <a href=${x(`/x/${e.execution_id}`,{tab:"journal",entry:n.seq})}>entry ${n.seq}</a>
      <span>${n.kind==="approval_requested"?"asked":"answered"} by <${m} text=${n.facts?.credential||n.actor} /></span>
      <${N} at=${n.at} form="absolute" />
      ${n.facts?.effect_key&&i`<span class="digest">digest <code>${n.facts.effect_key.slice(0,16)}…</code><${be} text=${n.facts.effect_key} what="the digest" /></span>`}
    </li>`)}
  </ul>`:i`<p class="loading">Loading…</p>`}var Ph,yd=E(()=>{G();v();oe();te();U();z();mt();Wc();fd();Hr();sn();Rn();Wo();Wr();Ph=Mo({get:T,post:Te})});function xd({label:e,approvals:t,chosen:n,now:o,marked:s,onMark:r}){let a=A(null);return _(()=>a.current?.querySelector(".is-chosen")?.scrollIntoView({block:"nearest"}),[n]),i`<ul class="questions" ref=${a} aria-label=${e}>
    ${t.map(l=>{let c=qt(l,o),d=l.id===n;return i`<li key=${l.id} class=${ee("question-row",d&&"is-chosen")}>
        ${s&&i`<label class="question-mark">
          <input type="checkbox" checked=${s.has(l.id)} disabled=${c!=="pending"} onChange=${()=>r?.(l.id)} />
          <span class="visually-hidden">Select “${_e(l.question||l.id)}”</span>
        </label>`}
        <a href=${x(`/approvals/${l.id}`,Hh())} aria-current=${d?"true":null}>
          <span class="question-text"><${m} text=${l.question||l.id} /></span>
          <span class="question-about">
            ${l.tool?i`<code><${m} text=${l.tool} /></code>`:i`<span class="faint">a question</span>`}
            <span class="soft cut">${l.actor?i`<${m} text=${l.actor} />, `:null}<${N} at=${l.asked} /></span>
            <span class="question-state">
              ${c==="pending"?i`<${Uo} expires=${l.expires} />`:i`<${K} state=${c} quiet />`}
            </span>
          </span>
          ${l.decided&&i`<${Fh} approval=${l} />`}
        </a>
      </li>`})}
  </ul>`}function Fh({approval:e}){let t=e.answer||e.reason;return i`<span class="question-answered soft">
    <span class="question-verdict">${Rt(e.status)}</span> by <strong><${m} text=${e.decided_by||e.answered_in||"nobody known"} /></strong>, <${N} at=${e.decided} />${t&&i`: “<${m} text=${t} />”`}
  </span>`}function Hh(){let e=new URLSearchParams(location.search);return{tab:e.get("tab"),status:e.get("status"),execution:e.get("execution")}}var _d=E(()=>{v();U();Js();je();mt();We();nn();Wo()});var kd={};Ce(kd,{Page:()=>Kh});function Kh({id:e="",query:t}){let n=t.get("tab")==="history",o=t.get("status")||"",s=t.get("execution")||"",r={tab:n&&"history",status:o,execution:s},[a,l]=h(Kr),c=D({by:[n,o,s,a],kinds:wd},Q=>Gh({past:n,status:o,execution:s,limit:a},Q)),d=D({by:[e],kinds:wd},Q=>e?T(`/v1/approvals/${encodeURIComponent(e)}`,{},{signal:Q}):Promise.resolve(null)),u=Oe(),p=we(),[$,f]=h(()=>new Set),[g,b]=h(""),[C,M]=h(null),[y,S]=h({id:"",text:""}),O=c.data?.name===vd({past:n,status:o,execution:s}),V=O&&c.data?c.data.approvals:[],j=Xh(),I=d.data?.id===e?d.data:null,P=V[0]?.id??"",q=V.filter(Q=>$.has(Q.id)&&qt(Q,p)==="pending");ke(()=>b(I?.status==="pending"?hd(I):""),[e,I?.id]);let W=A(""),J=I?qt(I,p):"";_(()=>{!I||!g||J==="pending"||W.current===I.id||S({id:I.id,text:To({},{...I,status:J})})},[J]);let re=A(!1),B=A({id:"",at:0});_(()=>{!e&&P&&(j||s&&V.length===1)&&(re.current&&(B.current={id:P,at:performance.now()}),ce(x(`/approvals/${P}`,r),{replace:!0})),re.current=O&&!P},[j,e,P,s,O]);let xe=Q=>{let xt=V.findIndex(mn=>mn.id===e),_t=V[Math.max(0,Math.min(V.length-1,xt+Q))];_t&&ce(x(`/approvals/${_t.id}`,r),{replace:!!e})},Xe=Q=>f(xt=>{let _t=new Set(xt);return _t.delete(Q)||_t.add(Q),_t}),ve=Q=>{Q.ok&&(b(""),I&&Ns(cn(I))),Q.refused&&ut(),W.current=Q.ok?Q.id:"",S({id:Q.id,text:Q.problem}),Q.ok&&$e(`${Q.id}: ${Rt(Q.status)}.`,"ok"),c.reload(),d.reload()},yt=I&&J==="pending"&&u.may_decide&&!Se(),nt=Q=>({label:`${Vh[Q]} it`,run:()=>{B.current.id===e&&performance.now()-B.current.at<Uh?$e("This question has just arrived: read it first."):b(Q)}});return fe("Approvals",{j:{label:"Next question",run:()=>xe(1)},k:{label:"Previous question",run:()=>xe(-1)},a:yt&&Ur(I,"approve")&&nt("approve"),e:yt&&it(I)&&nt("edit"),r:yt&&nt("reject"),m:yt&&nt("respond"),x:!n&&!Se()&&I&&{label:"Select it for one answer to several",run:()=>Xe(I.id)},Escape:{label:"Cancel the answer, or go back to the list",run:()=>g?b(""):e&&ce(x("/approvals",{...r,status:""}))}}),i`<div class=${`approvals ${e?"has-chosen":""}`}>
    <section class="approvals-list" aria-label="Questions">
      <header class="page-head">
        <h1>Approvals</h1>
        <${Nc} />
      </header>
      <${On} label="Which questions" value=${n?"history":"pending"} href=${Q=>x("/approvals",{tab:Q==="history"&&Q})}
        tabs=${[{id:"pending",title:"Pending",count:n?0:V.length,tone:"waiting"},{id:"history",title:"History"}]} />
      ${s&&i`<p class="soft approvals-of">Of <a href=${x(`/x/${s}`)}><${m} text=${V[0]?.title||s} /></a>. <a href=${x("/approvals",{tab:n&&"history"})}>All questions</a></p>`}
      ${n&&i`<${Jh} status=${o} />`}
      ${!n&&u.version&&!u.may_decide&&$.size?i`<${Je} />`:null}
      ${q.length>0&&u.may_decide&&i`<${zc} approvals=${q} onVerdict=${Q=>M({verdict:Q,approvals:q})} onClear=${()=>f(new Set)} />`}
      <${L} problem=${c.problem} retry=${c.reload} />
      ${O&&c.data?V.length?i`<${xd} label=${n?"Answered questions":"Pending questions, the soonest to expire first"}
              approvals=${V} chosen=${e} now=${p} marked=${n||Se()?void 0:$} onMark=${Xe} />
              ${c.data.more&&i`<${w} onClick=${()=>l(a+Kr)}>Show older<//>`}`:i`<${Yh} past=${n} />`:!c.problem&&i`<${H} />`}
    </section>
    <section class="approvals-one" aria-label="Question">
      ${e&&i`<a class="back" href=${x("/approvals",r)}>All questions</a>`}
      ${e&&i`<${L} problem=${d.problem} retry=${d.reload} />`}
      ${I?i`<${bd} key=${I.id} approval=${I} mayDecide=${u.version?u.may_decide:null} verdict=${g} onVerdict=${b}
            onSend=${()=>W.current=I.id} onDone=${ve} rejection=${y.id===I.id?y.text:""} />`:null}
    </section>
    ${C&&i`<${Fc} ...${C} onClose=${()=>(M(null),f(new Set),c.reload(),d.reload())} />`}
  </div>`}async function Gh({past:e,status:t,execution:n,limit:o},s){let r=[],a="";do{let l=await T("/v1/approvals",{status:e?t:"pending",execution_id:n,limit:Kr,cursor:a},{signal:s});r.push(...l.approvals.filter(c=>!e||c.status!=="pending")),a=l.next_cursor||""}while(a&&r.length<o);return{name:vd({past:e,status:t,execution:n}),approvals:e?r:wc(r),more:!!a}}function Jh({status:e}){return i`<nav class="chips" aria-label="Answered how">
    ${Wh.map(([t,n])=>i`<a class="chip" href=${x("/approvals",{tab:"history",status:t})} aria-current=${t===e?"true":null}>${n}</a>`)}
  </nav>`}function Yh({past:e}){return e?i`<${F} icon="approvals" title="No answered questions yet." />`:i`<${F} icon="approvals" title="No questions are waiting.">
    <p>When an agent asks (<code>request_approval</code>, <code>ask_human</code>, or a gateway’s policy), the question appears here at
    once, with the exact call and its time limit. Nothing is granted before you answer.</p>
  <//>`}function Xh(){let e="(min-width: 900px)",[t,n]=h(()=>matchMedia(e).matches);return _(()=>{let o=matchMedia(e),s=()=>n(o.matches);return o.addEventListener("change",s),()=>o.removeEventListener("change",s)},[]),t}var Kr,Uh,wd,Wh,Vh,vd,Sd=E(()=>{nn();Hc();zo();sn();Wo();Lr();yd();_d();Wr();G();Wt();v();Ae();te();U();ze();z();mt();Kr=100,Uh=2e3,wd=["approval_","action_begun","body_erased"],Wh=[["","All"],["approve","Accepted"],["edit","With changes"],["reject","Rejected"],["respond","Answered"],["used","Used"],["expired","Expired"],["closed","Closed"]];Vh={approve:"Accept",edit:"Edit",reject:"Reject",respond:"Respond to"};vd=({past:e,status:t,execution:n})=>[e,t,n].join("/")});function Ed(e,t){let n=A({by:t,rows:[],cursor:""}),[,o]=h(0),s=A(!1),a=D({by:[t]},async u=>{let p=n.current.by===t?Math.min(Math.max(n.current.rows.length,Jo),Qh):Jo,$=[],f="";do{let g=await T("/v1/executions",{...e,limit:Jo,cursor:f},{signal:u});$=$.concat(g.executions),f=g.next_cursor||""}while(f&&$.length<p);return n.current=n.current.by===t?Zh(n.current,$,f):{by:t,rows:$,cursor:f},n.current.by=t,n.current}),l=ye(async()=>{let{rows:u,cursor:p}=n.current;if(!(!p||s.current)){s.current=!0;try{let $=await T("/v1/executions",{...e,limit:Jo,cursor:p});if(n.current.rows!==u)return;n.current={by:t,rows:u.concat($.executions),cursor:$.next_cursor||""},o(f=>f+1)}finally{s.current=!1}}},[t]),{rows:c,cursor:d}=n.current.by===t?n.current:{rows:[],cursor:""};return{...a,rows:c,all:!d,more:l}}function Zh(e,t,n){let o=t.length?e.rows.findIndex(s=>s.id===t[t.length-1].id):-1;return!n||o<0||o===e.rows.length-1?{by:e.by,rows:t,cursor:n}:{by:e.by,rows:t.concat(e.rows.slice(o+1)),cursor:e.cursor}}var Jo,Qh,Td=E(()=>{G();v();te();Jo=100,Qh=300});function eg(){try{let e=JSON.parse(localStorage.getItem(Md)||"[]");return Array.isArray(e)?e:[]}catch{return[]}}function Cd(){let[e,t]=h(eg),[n,o]=h(""),s=Fi().query.toString(),r=c=>{localStorage.setItem(Md,JSON.stringify(c)),t(c)},a=c=>{c.preventDefault(),n.trim()&&(r([...e.filter(d=>d.name!==n.trim()),{name:n.trim(),query:s}]),o(""))},l=e.find(c=>c.query===s);return i`<${st} label="Saved views" icon="save" word=${l?l.name:"Views"} end>
    <div class="views">
      ${e.length?null:i`<p class="soft">A view is a filter with a name.</p>`}
      <ul>
        ${e.map(c=>i`<li key=${c.name}>
            <button type="button" class="menu-item" data-close onClick=${()=>ce(`/executions?${c.query}`)}>${c.name}</button>
            <${w} kind="ghost" icon="close" label=${`Forget ${c.name}`} onClick=${()=>r(e.filter(d=>d!==c))} />
          </li>`)}
      </ul>
      <form onSubmit=${a}>
        <input aria-label="Name of this view" placeholder="Name of this view" value=${n} onInput=${c=>o(c.target.value)} />
        <${w} type="submit" kind="primary">Save</${w}>
      </form>
    </div>
  </${st}>`}var Md,Ad=E(()=>{v();U();z();Md="tallystick.views"});var Id={};Ce(Id,{Page:()=>og});function og({query:e}){let t=e.get("q")||"",n=e.get("group")||"",o=le(()=>pc(t),[t]),s=Ed(hc(o),`${t} ${e.get("journal")||""}`),r=mc(o),[a,l]=h(0);return!o.length&&s.data&&!s.rows.length?i`<${Po} />`:i`<div class="page page-list">
    <div class="page-head">
      <h1>Executions</h1>
      <div class="page-head-end">
        <${ie} label="Group by" value=${n} choices=${[["","Flat"],["task","By task"],["agent","By agent"]]} onChange=${d=>X({group:d})} />
        <${Cd} />
      </div>
    </div>
    <${sg} text=${t} terms=${o} onEnter=${()=>l(a+1)} />
    <${L} problem=${r||s.problem} retry=${r?void 0:s.reload} />
    ${s.data&&!r?i`<${rg} live=${s} group=${n} filtered=${o.length>0} entered=${a} />`:!s.problem&&i`<${H} what="Loading executions" />`}
  </div>`}function sg({text:e,terms:t,onEnter:n}){let o=s=>X({q:s.trim()},{replace:!0});return i`<div class="exec-filters">
    <${Ke} label="Filter executions" value=${e} onChange=${o} onEnter=${n} placeholder="status:failed agent:codex since:2d words">
      <kbd class="kbd">f</kbd>
    </${Ke}>
    <div class="exec-chips" role="group" aria-label="Quick filters">
      ${Od.map(([s,r,a])=>{let l=t.some(c=>c.field===s&&c.value===r);return i`<${w} class="exec-chip" pressed=${l} onClick=${()=>o(Kn(gc(t,{field:s,value:r})))}>${a}</${w}>`})}
      ${t.filter(s=>!Od.some(([r,a])=>r===s.field&&a===s.value)).map(s=>i`<${w} class="exec-chip exec-chip-term" icon="close" aria-label=${`Remove ${Kn([s])}`} onClick=${()=>o(Kn(t.filter(r=>r!==s)))}>${Kn([s])}</${w}>`)}
      ${t.length>0&&i`<${w} kind="ghost" class="exec-chip" onClick=${()=>o("")}>Clear</${w}>`}
    </div>
    <details class="hints">
      <summary><${k} name="filter" />Filters</summary>
      <dl>${uc.map(([s,r])=>i`<div><dt><code>${s}</code></dt><dd>${r}</dd></div>`)}</dl>
      <p class="soft">Words find executions with entries that contain them; <code>word*</code> finds prefixes.</p>
    </details>
  </div>`}function rg({live:e,group:t,filtered:n,entered:o}){let[s,r]=h(-1),a=me("density"),l=ag(),c=le(()=>ig(e.rows,t,e.all),[e.rows,t,e.all]),d=tg[l?"phone":a==="comfortable"?"comfortable":"compact"],u=p=>{let $=s+p;for(;c[$]?.group!==void 0;)$+=p;c[$]&&r($)};return fe("Executions",{j:{label:"next execution",run:()=>u(1)},k:{label:"previous execution",run:()=>u(-1)},Enter:{label:"open it",run:()=>c[s]?.id&&ce(`/x/${c[s].id}`)}}),_(()=>{if(!o||e.loading||document.activeElement?.hasAttribute("data-search"))return;let p=c.findIndex($=>$.group===void 0);r(-1),setTimeout(()=>r(p))},[o,e.loading]),_(()=>{if(s<0)return;document.querySelector(`[data-index="${s}"] .exec-link`)?.focus({preventScroll:!0})},[s]),c.length?i`<div class="exec-list panel">
    <p class="visually-hidden" role="status">${e.rows.length}${e.all?"":" or more"} ${e.rows.length===1&&e.all?"execution":"executions"}${n?" match":""}</p>
    <${Lt}
      label="Executions"
      rows=${c}
      height=${d}
      selected=${s}
      head=${ng}
      onNear=${e.more}
      row=${(p,$)=>p.group!==void 0?i`<${bc} key=${`group ${p.group}`} ...${p} />`:i`<${an} key=${p.id} row=${p} index=${$} selected=${$===s} onFocus=${()=>r($)} />`}
    />
  </div>`:i`<${F} icon="search" title="No matching executions."><a href=${x("/executions",{})}>Show all</a></${F}>`}function ig(e,t,n){if(t!=="task"&&t!=="agent")return e;let o=new Map;for(let s of e){let r=(t==="task"?s.task_id:s.actor)||"";o.set(r,[...o.get(r)||[],s])}return[...o].flatMap(([s,r])=>[{group:s,count:r.length,by:t,more:!n},...r])}function ag(){let[e,t]=h(Yo.matches);return _(()=>{let n=()=>t(Yo.matches);return Yo.addEventListener("change",n),()=>Yo.removeEventListener("change",n)},[]),e}var Od,tg,ng,Yo,Nd=E(()=>{Cr();qo();Td();Tr();Ad();v();oe();Ae();U();Ve();z();Od=[["status","open","Open"],["only","waiting","Waiting for a person"],["only","in_doubt","In doubt"],["only","interrupted","Interrupted"],["only","owed","Owed"],["status","failed","Failed"]],tg={compact:48,comfortable:60,phone:104},ng=i`<div class="exec exec-head" aria-hidden="true">
  <span>state</span><span>execution</span><span>plan</span><span></span><span class="exec-last">last entry</span>
</div>`,Yo=matchMedia("(max-width: 720px)")});var Dd={};Ce(Dd,{Page:()=>cg});function cg(){let{data:e,problem:t,reload:n}=D({by:[Z()]},a=>T("/v1/alerts",{limit:100},{signal:a})),[o,s]=h(null),r=e?.alerts??[];return _(()=>{let a=setInterval(n,lg);return()=>clearInterval(a)},[]),i`<div class="page">
    <div class="page-head"><h1>Alerts</h1><p class="soft">What somebody should look at now. <code>tallystick serve --alert URL</code> sends these to chat or mail.</p></div>
    <${L} problem=${t} retry=${n} />
    ${e?r.length?i`<${R} flush><${dg} alerts=${r} onSilence=${s} /><//>
            ${e.more?.length?i`<p class="soft">There are more of: ${e.more.map(a=>Rd[a]).join(", ")}.</p>`:null}`:i`<${R}><${F} icon="check" title="Nothing needs you." /><//>`:!t&&i`<${H} />`}
    ${o&&i`<${ug} alert=${o} onClose=${()=>s(null)} onDone=${()=>(s(null),n())} />`}
  </div>`}function Ld(e){return e.rule==="question_waits"?x(`/approvals/${e.about}`):e.execution_id?x(`/x/${e.execution_id}`):""}function dg({alerts:e,onSilence:t}){return i`<ul class="alerts" aria-label="Alerts">
    ${e.map(n=>i`<li key=${`${n.rule}/${n.about}`}>
      <div>
        <p><strong>${Rd[n.rule]}</strong> · <span class="soft">since <${N} at=${n.since} />${n.who?i`, <${m} text=${n.who} />`:null}</span></p>
        <p>${Ld(n)?i`<a href=${Ld(n)}><${m} text=${n.text} /></a>`:i`<${m} text=${n.text} />`}</p>
        <p class="soft"><${m} text=${[n.title,n.to_do].filter(Boolean).join(" · ")} /></p>
      </div>
      ${n.silenced?i`<span class="soft">silenced until <${N} at=${n.silenced} /></span>`:i`<${w} onClick=${()=>t(n)}>Silence<//>`}
    </li>`)}
  </ul>`}function ug({alert:e,onClose:t,onDone:n}){let o=Oe(),[s,r]=h(""),[a,l]=h(null),c=async d=>{d.preventDefault(),await Te("/v1/alerts/silences",{rule:e.rule,about:e.about,until:Xo,why:s}).then(()=>($e(`Silenced for ${Xo}.`,"ok"),n()),l)};return i`<${Ze} title="Silence this alert" onClose=${t}>
    <p><${m} text=${e.text} /></p>
    ${o?.may_decide?i`<form onSubmit=${c}>
          <label class="field"><span>Why no messages for ${Xo}</span>
            <input value=${s} required onInput=${d=>r(d.target.value)} /></label>
          <${L} problem=${a} />
          <${w} kind="primary" type="submit" disabled=${!s.trim()}>Silence for ${Xo}<//>
        </form>`:i`<${Je} />`}
  <//>`}var Rd,Xo,lg,Pd=E(()=>{G();sn();v();te();U();ze();z();Rd={question_waits:"A question waits",in_doubt:"In doubt",interrupted:"Interrupted",run_held:"A run is held",run_failed:"A run failed",undo_expires:"An undo expires",hook_silent:"Hooks are silent",tool_failing:"A tool fails more than usual",step_slow:"A step takes long",verify_failed:"Verification failed"},Xo="8h",lg=3e4});function jd({onDone:e}){let[t,n]=h({}),[o,s]=h(!1),[r,a]=h(null),[l,c]=h(null);if(l)return i`<${Vr} made=${l} onDone=${e} />`;let d=(p,$,f,g={})=>i`
    <label class="field" key=${p}><span>${$} ${f&&i`<span class="faint">${f}</span>`}</span>
      <input value=${t[p]||""} aria-invalid=${r?.field===p?"true":null} spellcheck="false" autocomplete="off" ...${g}
        onInput=${b=>n({...t,[p]:b.target.value})} /></label>`;return i`<form class="webhook-form" onSubmit=${async p=>{p.preventDefault();let $=Object.entries(t).map(([b,C])=>[b,C.trim()]).filter(([,b])=>b),{kinds:f,...g}=Object.fromEntries($);f&&(g.kinds=f.split(/[,\s]+/).filter(Boolean)),o&&(g.needs_person=!0),await Te("/v1/webhooks",g).then(c,a)}}>
    ${d("name","Name","small letters, digits, dots and dashes",{required:!0})}
    ${d("address","Address","https://…",{required:!0,type:"url"})}
    <label class="check"><input type="checkbox" checked=${o} onChange=${p=>s(p.target.checked)} /> Only what a person has to act on</label>
    <details><summary>Only some entries</summary>${pg.map(([p,$,f])=>d(p,$,f))}</details>
    <${L} problem=${r} />
    <${w} kind="primary" type="submit">Add it<//>
  </form>`}function Vr({made:e,onDone:t}){return i`<div class="webhook-form">
    <p>Messages are signed with this secret. It is shown this once: give it to the receiver now.</p>
    <p class="command"><code>${e.secret}</code><${be} text=${e.secret||""} what="the secret" /></p>
    ${(e.notes||[]).map(n=>i`<p class="warning-note"><${m} text=${n} /></p>`)}
    <${w} kind="primary" onClick=${t}>Done<//>
  </div>`}var pg,Gr=E(()=>{G();v();z();pg=[["kinds","Kinds of entry","such as approval_requested, with commas"],["execution_id","Execution","ex_…"],["task_id","Task",""],["tool","Tool",""],["actor","Actor","an agent or a person"]]});function dn({path:e,body:t,button:n,kind:o="primary",done:s,children:r}){let[a,l]=h(null),[c,d]=h(!1);return i`<form class="webhook-form" onSubmit=${async p=>{p.preventDefault(),d(!0),await Te(e,t||{}).then(s,l),d(!1)}}>
    ${r}
    <${L} problem=${a} />
    <${w} kind=${o} type="submit" disabled=${c}>${n}<//>
  </form>`}function fg({webhook:e,onDone:t}){let n=()=>($e("The test is recorded, and is being delivered.","ok"),t());return i`<${dn} path=${zt(e,"test")} button="Send a test" done=${n}>
    <p>An entry is recorded that is delivered to this webhook alone, as <code>webhook.test</code>.</p>
  <//>`}function $g({webhook:e,onDone:t}){return i`<${dn} path=${zt(e,"replay")} button="Try now" done=${()=>($e("It tries at once.","ok"),t())}>
    <p>What waits is tried at once. A webhook that was paused or disabled goes on.</p>
  <//>`}function mg({webhook:e,onDone:t}){let[n,o]=h("");return i`<${dn} path=${zt(e,"replay")} body=${{since:Number(n)}} button="Deliver again" done=${()=>($e("They are delivered again.","ok"),t())}>
    <p>What fits this webhook is delivered again, with the same ids: a receiver that keeps them handles nothing twice.</p>
    <label class="field"><span>From this entry on</span>
      <input type="number" min="1" required value=${n} onInput=${s=>o(s.target.value)} /></label>
  <//>`}function hg({webhook:e,onDone:t}){let{data:n,problem:o}=D({kinds:["webhook_"],by:[Z(),e.name]},s=>T(zt(e,"dead"),{limit:100},{signal:s}));return i`<${L} problem=${o} />
    ${n?i`<ul class="dead-deliveries">${n.deliveries.map(s=>i`<li key=${s.seq}>
          <p>Entry ${s.seq}${s.execution_id&&i` of <a href=${x(`/x/${s.execution_id}`)}><code>${s.execution_id}</code></a>`}, after ${s.attempts} attempts, <${N} at=${s.at} /></p>
          <p class="soft"><${m} text=${s.error} /></p></li>`)}</ul>`:!o&&i`<${H} />`}
    ${n?.next_cursor&&i`<p class="soft">The first 100 of ${e.dead}.</p>`}
    <${dn} path=${zt(e,"replay")} body=${{dead:!0}} button="Deliver them again" done=${()=>($e("They are delivered again.","ok"),t())} />`}function gg({webhook:e,onDone:t}){let[n,o]=h(null);return n?i`<${Vr} made=${n} onDone=${t} />`:i`<${dn} path=${zt(e,"rotation")} button="Make a new secret" done=${o}>
    <p>For a day each message has both signatures, so that the receiver can change over.</p>
  <//>`}function bg({webhook:e,onDone:t}){return i`<${dn} path=${zt(e,"removal")} button="Remove it" kind="danger" done=${()=>($e("It is removed.","ok"),t())}>
    <p>Its address is told nothing more. Its secret, what waits and what was given up are forgotten. To set it up again, add it anew.</p>
  <//>`}var Qo,zt,Jr=E(()=>{G();v();te();U();z();Gr();Qo={test:{label:"Test",title:"Test",suits:e=>e.state!=="disabled",form:fg},retry:{label:"Try now",title:"Try at once:",suits:e=>e.state!=="active"||!!e.waiting,form:$g},dead:{label:"Given up",title:"Given up:",suits:e=>!!e.dead,form:hg},replay:{label:"Replay",title:"Replay",suits:()=>!0,form:mg},rotate:{label:"New secret",title:"New secret for",suits:()=>!0,form:gg},remove:{label:"Remove",title:"Remove",suits:()=>!0,form:bg}};zt=(e,t)=>`/v1/webhooks/${encodeURIComponent(e.name)}/${t}`});function qd({webhooks:e,onChoose:t}){return i`<ul class="webhooks" aria-label="Webhooks">
    ${e.map(n=>i`<li key=${n.name}>
      <div>
        <p><strong><${m} text=${n.name} /></strong> <${K} state=${n.state} /> · <code><${m} text=${n.host} /></code></p>
        <p class="soft">Hears of <${yg} webhook=${n} />.</p>
        <p class="soft"><${xg} webhook=${n} /></p>
        ${n.last_error&&i`<p class="webhook-error">Last error: <${m} text=${n.last_error} />${n.last_error_at&&i`, <${N} at=${n.last_error_at} />`}</p>`}
      </div>
      <div class="webhook-actions">
        ${Object.entries(Qo).map(([o,{label:s,suits:r}])=>r(n)&&i`<${w} onClick=${()=>t(o,n)} aria-label=${`${s} ${n.name}`}>${s}<//>`)}
      </div>
    </li>`)}
  </ul>`}function yg({webhook:e}){let{kinds:t=[],execution_id:n,task_id:o,tool:s,actor:r}=e,a=[e.needs_person&&"what a person has to act on",t.length>0&&i`entries of ${t.length>1?"the kinds":"the kind"} <code>${t.join(", ")}</code>`,n&&i`execution <a href=${x(`/x/${n}`)}><code>${n}</code></a>`,o&&i`task <${m} text=${o} />`,s&&i`calls of <code><${m} text=${s} /></code>`,r&&i`what <${m} text=${r} /> recorded`].filter(Boolean);return a.length?i`${a.map((l,c)=>i`${c>0&&" and "}${l}`)}`:i`every entry`}function xg({webhook:e}){let{delivered:t=0,behind:n=0,waiting:o=0,dead:s=0}=e,r=[`${t} delivered`,n>0&&`${n} ${n===1?"entry":"entries"} behind`,o>0&&`${o} waiting`,s>0&&`${s} given up`,!e.delivering&&"no process delivers now"].filter(Boolean);return i`${r.join(", ")}${e.last_success&&i`, the last one <${N} at=${e.last_success} />`}${e.next_attempt&&i`, next attempt at <${N} at=${e.next_attempt} form="absolute" />`}`}var Bd=E(()=>{v();U();z();Jr()});var zd={};Ce(zd,{Page:()=>wg});function wg(){let{data:e,problem:t,reload:n}=D({kinds:["webhook_"],by:[Z()]},c=>T("/v1/webhooks",{limit:100},{signal:c})),o=t?.status===403,[s,r]=h(null);_(()=>{if(o)return;let c=setInterval(n,_g);return()=>clearInterval(c)},[o]);let a=()=>(r(null),n()),l=(c,d)=>r({action:c,webhook:d});return i`<div class="page">
    <div class="page-head"><h1>Webhooks</h1>
      <p class="soft">Addresses that are told of new entries. <code>tallystick serve</code> or <code>tallystick notify</code> delivers.</p></div>
    ${o?i`<${R}><p>Webhooks are shown to admins only.</p><${Je} scope="admin" onDone=${n} /><//>`:i`<${L} problem=${t} retry=${n} />`}
    ${e&&i`<p><${w} kind="primary" onClick=${()=>r({action:"add"})}>Add a webhook<//></p>`}
    ${e?e.webhooks.length?i`<${R} flush><${qd} webhooks=${e.webhooks} onChoose=${l} /><//>`:i`<${R}><${F} icon="check" title="No webhooks.">Add one: its address hears of each new entry, or of those that you choose.<//><//>`:!t&&i`<${H} />`}
    ${s&&i`<${vg} ...${s} onClose=${a} />`}
  </div>`}function vg({action:e,webhook:t,onClose:n}){let o=Oe(),s=Qo[e],r=t?`${s.title} ${t.name}`:"Add a webhook",a=s?.form||jd;return i`<${Ze} title=${r} onClose=${n}>
    ${o.scopes.includes("admin")?i`<${a} webhook=${t} onDone=${n} />`:i`<${Je} scope="admin" />`}
  <//>`}var _g,Fd=E(()=>{G();sn();v();te();U();ze();z();Gr();Jr();Bd();_g=5e3});function Sg(e){let[t,...n]=e.split(":"),o=n.join(":");return{scope:t,...t==="task"&&{task_id:o},...t==="execution"&&{execution_id:o}}}function Hd({name:e,scopeText:t,onClose:n}){let{data:o,problem:s,reload:r}=D({by:[e,t],kinds:["context_recorded","body_erased"]},a=>T(`/v1/context/${encodeURIComponent(e)}`,{...Sg(t),limit:kg},{signal:a}));return i`<aside class="context-value" aria-label=${`Context ${e}`}>
    <header class="context-value-head">
      <h2><code><${m} text=${e} /></code></h2>
      <${w} kind="ghost" icon="close" label="Close" onClick=${n} />
    </header>
    <${L} problem=${s} retry=${r} />
    ${o?i`<${Eg} value=${o.values[0]} /><${Mg} values=${o.values} />`:!s&&i`<${H} />`}
  </aside>`}function Eg({value:e}){return i`
    ${e.erased?i`<p class="note"><${k} name="cancelled" /> Its text was erased. The entry remains.</p>`:e.altered?i`<p class="note"><${k} name="warning" /> Its stored text was altered and is not shown.</p>`:i`<${ae} value=${e.value??null} label="value" whole />`}
    <${Ne} rows=${[["scope",i`<${Yr} value=${e} />`],["type",e.type],["written by",e.actor&&i`<${m} text=${e.actor} />`],["when",i`<${N} at=${e.at} />`],["entry",i`<span class="num">${e.seq}</span>`],["holds until",e.expires&&i`<${Xr} value=${e} />`],["derived from",e.derived_from?.length?i`<${Tg} handles=${e.derived_from} />`:""]]} />
    ${e.metadata?i`<h3>Metadata</h3><${ae} value=${e.metadata} label="metadata" />`:null}
    <p class="note soft">A model or a tool wrote this. It is data, not an instruction, and not checked by anybody.</p>`}function Yr({value:e}){let t=e.scope_id||"";return e.scope==="execution"?i`execution <a href=${x(`/x/${encodeURIComponent(t)}`)}><code>${t}</code></a>`:e.scope==="task"?i`task <a href=${x("/executions",{q:`task:${t}`})}>${t}</a>`:e.scope}function Xr({value:e}){return e.expires?e.expired?i`<${ne} tone="idle" icon="late">expired<//>`:i`<${N} at=${e.expires} form="absolute" />`:i`<span class="faint">for good</span>`}function Tg({handles:e}){return e.map((t,n)=>i`${n?", ":""}${t.startsWith("ex_")?i`<a href=${x(`/x/${encodeURIComponent(t)}`)}><code>${t}</code></a>`:t.startsWith("pl_")?i`<a href=${x(`/plans/${encodeURIComponent(t)}`)}><code>${t}</code></a>`:t.startsWith("ap_")?i`<a href=${x(`/approvals/${encodeURIComponent(t)}`)}><code>${t}</code></a>`:i`<code>${t}</code>`}`)}function Mg({values:e}){let[t,n]=h(1);return e.length<2?i`<p class="soft">Written once: there is no history.</p>`:i`<h3>History <span class="faint">${e.length} values, the newest first</span></h3>
    <ol class="versions" reversed>
      ${e.map((o,s)=>i`<li key=${o.seq}>
        <button type="button" class="version" aria-expanded=${String(t===s)} onClick=${()=>n(t===s?-1:s)}>
          <${k} name=${t===s?"down":"right"} size=${14} />
          <span>${s===0?"now":i`<${N} at=${o.at} />`}</span>
          <span class="soft cut"><${m} text=${o.actor} /></span>
          <span class="faint num">entry ${o.seq}</span>
        </button>
        ${t===s&&i`<${Cg} value=${o} before=${e[s+1]} />`}
      </li>`)}
    </ol>`}function Cg({value:e,before:t}){return e.erased?i`<p class="note">Its text was erased.</p>`:e.altered?i`<p class="note">Its stored text was altered and is not shown.</p>`:!t||t.erased||t.altered?i`<${ae} value=${e.value??null} label="value" />`:i`<${qe} before=${t.value} after=${e.value} titles=${["before","after"]} />`}var kg,un,Ud=E(()=>{G();v();oe();te();U();z();kg=100,un=e=>e.scope_id?`${e.scope}:${e.scope_id}`:e.scope});var Wd={};Ce(Wd,{Page:()=>Ig});function Ig({query:e}){let[t,n,o,s]=["text","scope","type","expired"].map(b=>e.get(b)||""),[r,a]=[e.get("key")||"",e.get("at")||"project"],[l,c]=h(1),d=D({by:[t,n,o,s,l],kinds:["context_recorded","body_erased"]},b=>Ng({text:t,scope:n,type:o,include_expired:!!s},l,b)),u=d.data?.values??[],p=u.findIndex(b=>b.key===r&&un(b)===a),$=b=>b&&X({key:b.key,at:un(b)},{replace:!!r}),f=()=>X({key:"",at:""});fe("Context",{j:{label:"next key",run:()=>$(u[Math.min(p+1,u.length-1)])},k:{label:"previous key",run:()=>$(u[Math.max(p-1,0)])},Escape:!!r&&{label:"close it",run:f}});let g=!!(t||n||o||s);return i`<div class=${`page context ${r?"has-detail":""}`}>
    <div class="page-head"><h1>Context</h1><p class="soft">Values that agents keep across sessions. The newest value of a key counts; the history stays.</p></div>
    <div class="filters">
      <${Ke} label="Search keys and values" placeholder="Search keys and values" value=${t} onChange=${b=>X({text:b},{replace:!0})} />
      <${ie} label="Scope" value=${n} choices=${Og} onChange=${b=>X({scope:b})} />
      ${o&&i`<${w} icon="close" onClick=${()=>X({type:""})}>type ${o}<//>`}
      <label class="check"><input type="checkbox" checked=${!!s} onChange=${b=>X({expired:b.target.checked?"1":""})} /> show expired</label>
    </div>
    <${L} problem=${d.problem} retry=${d.reload} />
    <div class="beside">
      ${d.data?u.length?i`<${R} flush><${Lg} values=${u} chosen=${p} onOpen=${$} />
              ${d.data.more&&i`<div class="more-row"><${w} onClick=${()=>c(l+1)}>Show more<//></div>`}<//>`:i`<${R}><${Dg} filtered=${g} /><//>`:!d.problem&&i`<${H} />`}
      ${r&&i`<${Hd} key=${r+a} name=${r} scopeText=${a} onClose=${f} />`}
    </div>
  </div>`}async function Ng(e,t,n){let o=[],s="";for(let r=0;r<t;r+=1){let a=await T("/v1/context",{...e,limit:Ag,cursor:s},{signal:n});if(o.push(...a.values),s=a.next_cursor||"",!s)break}return{values:o,more:!!s}}function Lg({values:e,chosen:t,onOpen:n}){let o=s=>x(location.pathname+location.search,{key:s.key,at:un(s)});return i`<${Ot} label="Context" rows=${e} id=${s=>`${un(s)} ${s.key}`}
    selected=${e[t]?`${un(e[t])} ${e[t].key}`:""} onSelect=${n}
    columns=${[{title:"key",class:"col-key",cell:s=>i`<a href=${o(s)}><code><${m} text=${s.key} /></code></a>`},{title:"value",class:"col-value",cell:s=>i`<span class="preview"><${m} text=${Rg(s)} /></span>`},{title:"type",class:"col-type",cell:s=>s.type?i`<a class="chip" href=${x("/context",{type:s.type})}>${s.type}</a>`:i`<span class="faint">–</span>`},{title:"scope",class:"col-wide",cell:s=>i`<${Yr} value=${s} />`},{title:"by",class:"col-wide",cell:s=>s.actor},{title:"written",cell:s=>i`<span class="soft"><${N} at=${s.at} /></span>`},{title:"until",class:"col-wide",cell:s=>i`<span class="soft"><${Xr} value=${s} /></span>`},{title:"values",class:"right col-wide",cell:s=>(s.versions??1)>1?i`<${ne} title="number of values over time">${s.versions}<//>`:i`<span class="faint">1</span>`}]} />`}function Rg(e){if(e.erased||e.altered)return e.erased?"erased":"altered";let t=typeof e.value=="string"?e.value:se(e.value??null);return t.length>160?`${t.slice(0,160)}…`:t}function Dg({filtered:e}){return e?i`<${F} icon="search" title="No matches."><p><a href=${x("/context")}>Show everything</a></p><//>`:i`<${F} icon="context" title="No context values yet.">
    <p>An agent stores a value for the next session with <code>record_context</code>, a person
    with <code>tallystick record context KEY --value TEXT</code>.</p><//>`}var Ag,Og,Kd=E(()=>{G();Ud();v();Le();Ae();te();U();z();Ag=100,Og=[["","all"],["project","project"],["task","task"],["execution","execution"]]});var Vd={};Ce(Vd,{Page:()=>jg});function jg({query:e}){let[t,n,o]=["text","status","task_id"].map($=>e.get($)||""),[s,r]=h(Qr),[a,l]=h(-1),{data:c,problem:d,reload:u}=D({by:[t,n,o,s],kinds:["plan_"]},$=>qg({text:t,status:n,task_id:o},s,$)),p=c?.plans??[];return fe("Plans",{j:{label:"next plan",run:()=>l(Math.min(a+1,p.length-1))},k:{label:"previous plan",run:()=>l(Math.max(a-1,0))},Enter:p[a]&&{label:"open it",run:()=>ce(x(`/plans/${p[a].id}`))}}),i`<div class="page">
    <div class="page-head"><h1>Plans</h1><p class="soft">Planned steps, and whether and how each can be undone.</p></div>
    <div class="filters">
      <${Ke} label="Search plans" placeholder="Search titles, goals and steps" value=${t} onChange=${$=>X({text:$},{replace:!0})} />
      <${ie} label="Status" value=${n} choices=${Pg} onChange=${$=>X({status:$})} />
      ${o&&i`<${w} icon="close" onClick=${()=>X({task_id:""})}>task ${o}<//>`}
    </div>
    <${L} problem=${d} retry=${u} />
    ${c?p.length?i`<${R} flush><${Bg} plans=${p} chosen=${p[a]?.id??""} />
            ${c.more&&i`<div class="more-row"><${w} onClick=${()=>r(s+Qr)}>Show more<//></div>`}<//>`:i`<${R}><${zg} filtered=${!!(t||n||o)} /><//>`:!d&&i`<${H} />`}
  </div>`}async function qg(e,t,n){let o=[],s="";do{let r=await T("/v1/plans",{...e,limit:Qr,cursor:s},{signal:n});o.push(...r.plans),s=r.next_cursor||""}while(s&&o.length<t);return{plans:o,more:!!s}}function Bg({plans:e,chosen:t}){return i`<${Ot} label="Plans" rows=${e} id=${n=>n.id} selected=${t}
    onSelect=${n=>ce(x(`/plans/${n.id}`))}
    columns=${[{title:"status",cell:n=>i`<${K} state=${n.status} quiet />`},{title:"plan",class:"col-title",cell:n=>i`<a href=${x(`/plans/${n.id}`)}><strong><${m} text=${n.erased?"erased":n.altered?"altered":n.title||n.id} /></strong></a>
          <span class="plan-goal soft"><${m} text=${n.goal} /></span>`},{title:"steps",class:"right num",cell:n=>n.step_count??0},{title:"revision",class:"right num col-wide",cell:n=>n.revision},{title:"task",class:"col-wide",cell:n=>n.task_id||i`<span class="faint">–</span>`},{title:"type",class:"col-wide",cell:n=>n.type||i`<span class="faint">–</span>`},{title:"by",class:"col-wide",cell:n=>n.actor},{title:"revised",cell:n=>i`<span class="soft"><${N} at=${n.at} /></span>`}]} />`}function zg({filtered:e}){return e?i`<${F} icon="search" title="No matching plans."><p><a href=${x("/plans")}>Show all plans</a></p><//>`:i`<${F} icon="plans" title="No plan yet.">
    <p>An agent records one with <code>record_plan</code> before it acts. Each step says whether and how it can be undone.</p><//>`}var Qr,Pg,Gd=E(()=>{G();v();Ae();te();U();z();Qr=100,Pg=[["","all"],["active","active"],["archived","archived"],["cancelled","cancelled"]]});function Jd({id:e,revisions:t,shown:n,from:o,counts:s}){return i`<ol class="revisions" reversed aria-label="Revisions, the newest first">
    ${t.map(r=>{let a=r.revision,l=s.get(a)??0;return i`<li key=${a} class=${a===n?"is-chosen":null}>
        <a class="revision" href=${x(`/plans/${e}`,{revision:a})} aria-current=${a===n&&!o?"true":null}>
          <strong>Revision ${a}</strong>
          <span class="soft"><${N} at=${r.at} /></span>
        </a>
        <p class="soft revision-why">${r.erased?"Its text was erased.":r.altered?"Its stored text was altered and is not shown.":r.reason||(a===1?"First version.":"")}</p>
        <p class="revision-end">
          ${l?i`<span class="soft">${l} ${l===1?"execution":"executions"}</span>`:i`<span class="faint">not carried out</span>`}
          ${a>1&&i`<a href=${x(`/plans/${e}`,{from:a-1,to:a})} aria-current=${o===a-1&&n===a?"true":null}>
            what changed<span class="visually-hidden"> in revision ${a}</span></a>`}
        </p>
      </li>`})}
  </ol>`}function Yd({before:e,after:t}){let n=Jc(e.steps??[],t.steps??[]),o=Yc(e,t),s=n.filter(r=>r.change!=="same").length;return i`<div class="revision-diff">
    <p class="note">
      <strong>Revision ${e.revision} to ${t.revision}.</strong>
      ${t.reason&&i` <${m} text=${t.reason} />`}
      <span class="soft"> ${s} of ${n.length} steps differ${o.length?`, and ${o.map(r=>r.name).join(", ")}`:""}.</span>
    </p>
    ${o.length?i`<${qe} before=${Object.fromEntries(o.map(r=>[r.name,r.before]))}
      after=${Object.fromEntries(o.map(r=>[r.name,r.after]))} titles=${[`revision ${e.revision}`,`revision ${t.revision}`]} />`:null}
    <h2 class="visually-hidden">Steps</h2>
    <ol class="steps">
      ${n.map(r=>i`<li key=${r.id} class=${`step-${r.change}`}>
        <div class="step-body"><${Hg} row=${r} titles=${[`revision ${e.revision}`,`revision ${t.revision}`]} /></div>
      </li>`)}
    </ol>
  </div>`}function Hg({row:e,titles:t}){let[n,o,s]=Fg[e.change],r=e.after??e.before,a=i`<${ne} tone=${n} icon=${o}>${s}<//>`;return e.change==="added"?i`<p class="step-mark">${a}</p><${Pr} step=${r} />`:i`<div class="step-head">
      <h3><${m} text=${r?.title||e.id} /></h3><code class="soft"><${m} text=${e.id} /></code><span class="step-end">${a}</span>
    </div>
    ${e.change==="changed"&&i`<${qe} before=${e.before} after=${e.after} titles=${t} />`}
    ${e.change==="removed"&&i`<p class="soft"><${k} name="cancelled" size=${14} /> Executions that began it keep it, with its undo.</p>`}`}var Fg,Xd=E(()=>{v();oe();U();z();Go();Vo();Fg={added:["ok","unplanned","added"],removed:["failed","cancelled","removed"],changed:["doubt","edit","changed"],moved:["running","down","moved"],same:["idle","check","unchanged"]}});var Qd={};Ce(Qd,{Page:()=>Ug});function Ug({id:e,query:t}){let n=D({by:[e],kinds:["plan_","body_erased"]},s=>T(`/v1/plans/${encodeURIComponent(e)}`,{},{signal:s})),o=D({by:[e],kinds:["execution_","decision_recorded","action_ended"]},s=>T("/v1/executions",{plan_id:e,limit:Zr},{signal:s}));return n.data?i`<${Wg} id=${e} query=${t} status=${n.data.status} revisions=${n.data.revisions} executions=${o.data?.executions??[]} />`:i`<div class="page"><h1>Plan</h1><${L} problem=${n.problem} retry=${n.reload} />${!n.problem&&i`<${H} />`}</div>`}function Wg({id:e,query:t,status:n,revisions:o,executions:s}){let r=o[0],a=Number(t.get("to")||t.get("revision"))||r.revision,l=o.find(p=>p.revision===a)??r,c=o.find(p=>p.revision===Number(t.get("from"))),d=new Map;for(let p of s)d.set(p.revision,(d.get(p.revision)??0)+1);let u=p=>{let $=o.find(f=>f.revision===l.revision+p);$&&X({revision:c?"":$.revision,to:c?$.revision:"",from:c&&$.revision-1||""},{replace:!0})};return fe("Plan",{"[":{label:"previous revision",run:()=>u(-1)},"]":{label:"next revision",run:()=>u(1)},d:l.revision>1&&{label:"show changes or steps",run:()=>X(c?{from:"",to:"",revision:l.revision}:{from:l.revision-1,to:l.revision,revision:""})}}),i`<div class="page plan">
    <header class="plan-head">
      <p><a class="back" href=${x("/plans")}>Plans</a></p>
      <div class="page-head">
        <h1><${m} text=${l.erased?"Erased plan":l.altered?"Altered plan":l.title||e} /></h1>
        <${K} state=${n} />
        <div class="page-head-end"><${Ue} id=${e} /></div>
      </div>
      ${l.goal&&i`<p class="plan-goal"><${m} text=${l.goal} /></p>`}
      <p class="soft plan-about">
        ${[r.task_id&&i`task <a href=${x("/executions",{q:`task:${r.task_id}`})}>${r.task_id}</a>`,r.type,`by ${r.actor}`].filter(Boolean).map((p,$)=>i`${$?" · ":""}${p}`)}
      </p>
      ${n!=="active"&&r.retired_reason&&i`<p class="note">Retired: ${r.retired_reason}</p>`}
    </header>
    <div class="plan-body">
      <section class="plan-main" aria-label=${c?"What changed":`Revision ${l.revision}`}>
        ${c?i`<${Yd} before=${c} after=${l} />`:i`<${Kg} revision=${l} step=${t.get("step")||""} />`}
        <${R} flush title=${`Executions${s.length===Zr?`, the newest ${Zr}`:""}`}>
          ${s.length?i`<${Vg} runs=${s} />`:i`<${F} icon="executions" title="No executions yet." />`}
        <//>
      </section>
      <aside class="plan-side" aria-label="Revisions">
        <${R} title="Revisions"><${Jd} id=${e} revisions=${o} shown=${l.revision} from=${c?.revision??0} counts=${d} /><//>
      </aside>
    </div>
  </div>`}function Kg({revision:e,step:t}){let n=e.steps??[],o=n.filter(a=>a.estimate!==void 0&&a.estimate!==null),s=o.reduce((a,l)=>a+Number(l.estimate),0),r=i`Steps of revision ${e.revision}
    <span class="soft panel-note">${o.length?`estimated ${ue(s*1e3)}${o.length<n.length?` for ${o.length} of ${n.length}`:""}`:""}</span>`;return i`
    ${e.warnings?.length?i`<ul class="warnings" aria-label="Warnings">${e.warnings.map(a=>i`<li><${k} name="warning" /> <${m} text=${a} /></li>`)}</ul>`:null}
    ${e.reasoning&&i`<details class="reasoning"><summary>Reasoning</summary><p><${De} text=${e.reasoning} /></p></details>`}
    <${R} flush title=${r}><${Xc} steps=${n} chosen=${t} /><//>`}function Vg({runs:e}){return i`<${Ot} label="Executions of this plan" rows=${e} id=${t=>t.id}
    columns=${[{title:"status",cell:t=>i`<${K} state=${t.status} quiet />`},{title:"execution",cell:t=>i`<a href=${x(`/x/${t.id}`)}><code>${t.id}</code></a>`},{title:"revision",class:"right num",cell:t=>t.revision},{title:"plan",class:"col-wide",cell:t=>i`<${It} row=${t} />`},{title:"by",class:"col-wide",cell:t=>t.client||t.actor},{title:"started",cell:t=>i`<span class="soft"><${N} at=${t.started} /></span>`},{title:"took",class:"right col-wide",cell:t=>i`<${$t} from=${t.started} to=${t.ended} />`}]} />`}var Zr,Zd=E(()=>{G();v();oe();Ae();te();Xd();Go();U();z();je();Zr=100});function eu({a:e,b:t,arguments:n=[],results:o=[]}){if(!e||!t)return[e?"only in A":"only in B"];if([e.state,t.state].includes("planned"))return e.state===t.state?[]:["state"];let s=[];e.state!==t.state&&s.push("state"),(e.attempts??0)!==(t.attempts??0)&&s.push("attempts"),n.length&&s.push("arguments"),o.length&&s.push("result");let[r,a]=[e.seconds??0,t.seconds??0].sort((l,c)=>l-c);return a>1&&a>r*Gg&&s.push("duration"),s}function tu(e){return e.map(({path:t,a:n,b:o,only:s})=>({path:t.replace(/^\$\.?/,"")||"value",kind:{a:"removed",b:"added","":"changed"}[s??""],before:n,after:o}))}function ei(e){let t=e.ended?(Date.parse(e.ended)-Date.parse(e.started))/1e3:null,n=o=>Object.values(o??{}).reduce((s,r)=>s+r,0);return{status:e.status,revision:e.revision??0,by:e.actor||e.client||"",started:e.started,took:t,steps:rt(e),actions:n(e.actions)+n(e.undos),failed:e.actions?.failed??0,in_doubt:e.in_doubt??0,undone:e.undos?.ok??0,owed:e.owed??0,unplanned:e.unplanned??0}}var Gg,nu=E(()=>{sr();Gg=1.5});var iu={};Ce(iu,{Page:()=>Xg});function Xg({query:e}){let[t,n]=[e.get("a")||"",e.get("b")||""],o=e.get("show")==="all",s=D({kinds:["execution_"]},c=>T("/v1/executions",{limit:Jg},{signal:c})),r=!!(t&&n),a=D({by:[t,n],kinds:["execution_","action_"]},c=>r?T("/v1/comparison",{a:t,b:n},{signal:c}):Promise.resolve(null)),l=s.data?.executions??[];return i`<div class="page compare">
    <div class="page-head"><h1>Compare two executions</h1></div>
    <div class="compare-pick">
      <${ou} side="A" value=${t} known=${l} onPick=${c=>X({a:c})} />
      <${w} icon="compare" label="Swap A and B" onClick=${()=>X({a:n,b:t})} />
      <${ou} side="B" value=${n} known=${l} onPick=${c=>X({b:c})} />
    </div>
    <${L} problem=${a.problem} retry=${a.reload} />
    ${r?a.data?i`<${nb} comparison=${a.data} all=${o} />
            <${eb} comparison=${a.data} all=${o} />`:!a.problem&&i`<${H} />`:i`<${R}><${F} icon="compare" title="Choose two executions."><p>For example two executions of one plan: one that succeeded and one that failed.</p><//>
          <${Qg} chosen=${t||n} side=${t?"b":"a"} known=${l} /><//>`}
  </div>`}function ou({side:e,value:t,known:n,onPick:o}){let s=`recent-${e}`;return i`<label class="field compare-field"><span>${e}</span>
    <input type="text" list=${s} value=${t} placeholder="ex_…" spellcheck="false" autocomplete="off" onChange=${r=>o(r.target.value.trim())} />
    <datalist id=${s}>${n.map(r=>i`<option key=${r.id} value=${r.id}>${r.title} (${r.status})</option>`)}</datalist>
  </label>`}function Qg({chosen:e,side:t,known:n}){let o=n.find(r=>r.id===e)?.plan_id,s=n.filter(r=>r.id!==e&&o&&r.plan_id===o).slice(0,Yg);return s.length?i`<div class="compare-suggested"><h2>Of the same plan</h2>
    <ul>${s.map(r=>i`<li key=${r.id}><${K} state=${r.status} quiet /> <a href=${x("/compare",t==="b"?{a:e,b:r.id}:{a:r.id,b:e})}><${m} text=${r.title||r.id} /></a> <code class="soft">${r.id}</code> <span class="soft"><${N} at=${r.started} /></span></li>`)}</ul>
  </div>`:null}function eb({comparison:{a:e,b:t},all:n}){let[o,s]=[ei(e),ei(t)],r=l=>o[l]!==s[l]&&l!=="started",a=Zg.filter(([l])=>n||r(l)||l==="status");return i`<${R} flush>
    <table class="table compare-table">
      <thead><tr><th scope="col"><span class="visually-hidden">what</span></th>
        ${[e,t].map((l,c)=>i`<th scope="col"><span class="side">${"AB"[c]}</span> <a href=${x(`/x/${l.id}`)}><${m} text=${l.title||l.id} /></a> <code>${l.id}</code></th>`)}</tr></thead>
      <tbody>${a.map(([l,c])=>i`<tr key=${l} class=${r(l)?"differs":null}>
        <th scope="row">${c}</th>${[o,s].map(d=>i`<td>${tb(l,d[l])}</td>`)}</tr>`)}</tbody>
    </table>
  <//>`}function tb(e,t){return e==="status"?i`<${K} state=${t} />`:e==="started"?i`<${N} at=${t} />`:e==="took"?t===null?i`<span class="faint">not ended</span>`:ue(t*1e3):i`<span class="num">${t}</span>`}function nb({comparison:e,all:t}){let n=e.rows.map(a=>({row:a,differs:eu(a)})),o=n.filter(a=>a.differs.length),s=n.length-o.length,r=i`<label class="check"><input type="checkbox" checked=${t} onChange=${()=>X({show:t?"":"all"},{replace:!0})} /> show what is the same</label>`;return i`<${R} flush title=${`${o.length} of ${n.length} steps and calls differ`} actions=${r}>
    <p class="compare-legend soft"><span><span class="side">A</span> <a href=${x(`/x/${e.a.id}`)}><${m} text=${e.a.title||e.a.id} /></a></span>
      <span><span class="side">B</span> <a href=${x(`/x/${e.b.id}`)}><${m} text=${e.b.title||e.b.id} /></a></span></p>
    ${!o.length&&i`<${F} icon="check" title="No step or call differs." />`}
    <ul class="compare-rows">${(t?n:o).map(({row:a,differs:l})=>i`<${ob} key=${`${a.kind} ${a.name}`} row=${a} differs=${l} />`)}</ul>
    ${!t&&s>0&&i`<p class="compare-note"><${w} kind="ghost" icon="down" onClick=${()=>X({show:"all"},{replace:!0})}>${`${s} ${s===1?"is":"are"} the same`}<//></p>`}
    ${!!e.left_out&&i`<p class="soft compare-note">${e.left_out} more are not shown; those that ended otherwise come first.</p>`}
    ${e.whole===!1&&i`<p class="soft compare-note">Only the first actions of a long execution are compared.</p>`}
  <//>`}function ob({row:e,differs:t}){let[n,o]=h(!!e.arguments?.length),r=[["arguments",e.arguments??[]],["result",e.results??[]]].filter(([,a])=>a.length);return i`<li class=${t.length?"differs":null}>
    <div class="compare-step">
      <div class="compare-name"><strong><${m} text=${e.summary||e.name} /></strong> <code class="soft"><${m} text=${e.name} /></code>
        ${su[e.kind]&&i` <${ne} icon=${e.kind==="undo"?"unwinding":"unplanned"}>${su[e.kind]}<//>`}</div>
      <${ru} letter="A" side=${e.a} /><${ru} letter="B" side=${e.b} />
      <div class="compare-differs">${t.length?i`<${k} name="compare" size=${14} /> ${t.join(", ")}`:i`<span class="faint">same</span>`}
        ${r.length?i`<${w} kind="ghost" icon=${n?"down":"right"} aria-expanded=${String(n)} onClick=${()=>o(!n)}>${n?"hide":"show"}<//>`:null}</div>
    </div>
    ${n&&r.map(([a,l])=>i`<h3>${a}</h3>
      <div class="diff"><${vo} rows=${tu(l)} titles=${["A","B"]} words=${{removed:"only in A",added:"only in B"}} /></div>`)}
    ${n&&e.cut&&i`<p class="soft">More differences are not shown.</p>`}
  </li>`}function ru({letter:e,side:t}){return t?i`<div class="compare-side"><span class="side">${e}</span> <${K} state=${t.state||"planned"} quiet />
    ${(t.attempts??0)>1&&i`<span class="soft">${t.attempts} attempts</span>`}
    ${t.seconds!==void 0&&t.seconds!==null&&i`<span class="num soft">${ue(t.seconds*1e3)}</span>`}</div>`:i`<div class="compare-side"><span class="side">${e}</span> <span class="faint">missing</span></div>`}var Jg,Yg,Zg,su,au=E(()=>{G();nu();v();oe();te();U();z();Jg=50,Yg=8;Zg=[["status","status"],["by","by"],["revision","plan revision"],["started","started"],["took","took"],["steps","steps"],["actions","actions"],["failed","failed"],["in_doubt","in doubt"],["unplanned","unplanned"],["undone","undone"],["owed","owed"]];su={call:"unplanned call",undo:"undo",step:""}});function pn(e,t){return[e,...t].map(n=>n.map(rb).join(",")).join(`\r
`)+`\r
`}function rb(e){if(e==null)return"";if(typeof e=="number")return Number.isFinite(e)?String(e):"";if(e instanceof Ee)return e.source;let t=typeof e=="string"?e:se(e),n=sb.test(t)?`'${t}`:t;return/[",\r\n]/.test(n)?`"${n.replaceAll('"','""')}"`:n}var sb,ti=E(()=>{dt();Le();sb=/^[\s'"]*[=+\-@\t\r|%＝＋－＠]/});function lu(e,t={count:0}){let n=e.map(d=>d.date),o=d=>e.map(u=>u[d]===null?null:Number(u[d]??0)),s=d=>e.map(u=>(u[d]??null)===null?null:Number(u[d])),r=(d,u)=>e.map(p=>u(p)?Number(p[d]??0)/u(p):null),a=d=>o(d).reduce((u,p)=>u+(p??0),0),l=d=>Number(d.completed??0)+Number(d.failed??0)+Number(d.cancelled??0),c=e.reduce((d,u)=>d+l(u),0);return[{id:"executions",title:$n(n[0])?"Executions per hour":"Executions per day",about:"by when they started, and by how they ended or were interrupted",unit:"count",days:n,stacked:!0,headline:`${a("started")} started`,series:[{name:"completed",values:o("completed"),tone:"ok",form:"bars"},{name:"failed",values:o("failed"),tone:"failed",form:"bars",pattern:"hatch"},{name:"cancelled",values:o("cancelled"),tone:"idle",form:"bars",pattern:"dots"},{name:"closed",values:o("closed"),tone:"plain",form:"bars",pattern:"columns"},{name:"interrupted",values:o("interrupted"),tone:"doubt",form:"bars",pattern:"grid"},{name:"open",values:e.map(d=>Math.max(0,Number(d.started??0)-l(d)-Number(d.closed??0)-Number(d.interrupted??0))),tone:"running",form:"bars",pattern:"stripes"}]},{id:"success",title:"Success",about:"completed executions, as a share of those that ended with a verdict",unit:"share",days:n,headline:c?ts(a("completed")/c):"–",series:[{name:"success",values:r("completed",l),tone:"ok",form:"line"}]},{id:"duration",title:"Duration",about:`from start to end, of ${t.count} that ended: half took less than p50, 95 of 100 less than p95`,unit:"seconds",days:n,headline:t.count?`p50 ${Ft(t.p50,"seconds")}, p95 ${Ft(t.p95,"seconds")}`:"–",series:[{name:"p50",values:s("p50"),tone:"running",form:"line"},{name:"p95",values:s("p95"),tone:"undo",form:"line",pattern:"dash"}]},{id:"estimate",title:"Estimate against actual",about:"summed over steps that had an estimate and succeeded",unit:"seconds",days:n,headline:a("estimated")?`${(a("actual")/a("estimated")).toFixed(1)} × the estimate`:"–",series:[{name:"estimated",values:s("estimated"),tone:"idle",form:"line",pattern:"dash"},{name:"actual",values:s("actual"),tone:"accent",form:"line"}]},{id:"retries",title:"Retries and unwinding",about:"repeated steps, and executions with undone actions",unit:"count",days:n,headline:`${es(a("retries"),"retry","retries")}, ${a("unwound")} unwound`,series:[{name:"retries",values:o("retries"),tone:"doubt",form:"line"},{name:"unwound",values:o("unwound"),tone:"undo",form:"line",pattern:"dash"}]},{id:"waiting",title:"Waiting for people",about:`from each question to its answer, summed; ${es(a("asked"),"question")}`,unit:"seconds",days:n,headline:a("waited")?Xn(a("waited")):"–",series:[{name:"waited",values:s("waited"),tone:"waiting",form:"bars"}]},{id:"doubt",title:"In doubt",about:"actions with an unknown outcome",unit:"count",days:n,headline:`${a("in_doubt")} ${a("in_doubt")===1?"action":"actions"}`,series:[{name:"in doubt",values:o("in_doubt"),tone:"doubt",form:"bars",pattern:"hatch"}]}]}function cu(e){return{header:["day",...e.series.map(t=>t.name)],rows:e.days.map((t,n)=>[t,...e.series.map(o=>o.values[n])])}}function du(e){let t=e.flatMap(n=>n.series.map(o=>({name:`${n.id}: ${o.name}${n.unit==="seconds"?" (s)":""}`,values:o.values})));return{header:["day",...t.map(n=>n.name)],rows:(e[0]?.days??[]).map((n,o)=>[n,...t.map(s=>s.values[o])])}}function Ft(e,t){return e==null?"–":t==="seconds"?Xn(Number(e)):t==="share"?ts(e):String(e)}function Xn(e){return e===0?"0":e<1?`${Math.round(e*1e3)} ms`:e<120?`${Zo(e)} s`:e<7200?`${Zo(e/60)} min`:e<172800?`${Zo(e/3600)} h`:`${Zo(e/86400)} d`}function ns(e,t){return $n(e)?new Intl.DateTimeFormat("en-GB",{day:"numeric",month:"short",hour:"2-digit",minute:"2-digit",timeZone:t}).format(Date.parse(e)):e}function pu(e={},t={}){return Object.entries(e).sort((n,o)=>o[1]-n[1]).slice(0,uu).map(([n,o])=>({name:n,value:o,text:t[n]?.calls?`${o} of ${t[n].calls}`:String(o),tone:"failed"}))}function fu(e={}){return Object.entries(e).sort((t,n)=>n[1]-t[1]).map(([t,n])=>({name:ib[t]??t,value:n,text:String(n),tone:"failed"}))}function $u(e={}){return Object.entries(e).filter(([,t])=>t.compared).map(([t,n])=>{let[o,s]=[Number(n.estimated??0),Number(n.actual??0)];return{name:t,value:o?s/o:0,text:`${ab(s,o)} (${Xn(s)} for ${Xn(o)})`,tone:s>o?"doubt":"ok"}}).sort((t,n)=>n.value-t.value).slice(0,uu)}function mu(e={}){return{header:["agent","executions","success","failed","interrupted","actions","failed actions","in doubt","undone","p50","p95"],rows:Object.entries(e).map(([t,n])=>{let{started:o=0,completed:s=0,failed:r=0,cancelled:a=0,interrupted:l=0,actions:c=0,failures:d=0,undos:u=0,in_doubt:p=0,durations:$}=n,f=s+r+a;return[t,o,f?ts(s/f):null,r,l,c,d,p,u,fn($.p50),fn($.p95)]})}}function hu(e={}){let t=Object.entries(e).sort((n,o)=>(o[1].durations.p95??-1)-(n[1].durations.p95??-1));return{header:["tool","calls","failed","in doubt","p50","p90","p95","longest"],rows:t.map(([n,{calls:o=0,failed:s=0,in_doubt:r=0,durations:{p50:a,p90:l,p95:c,longest:d}}])=>[n,o,s,r,fn(a),fn(l),fn(c),fn(d)])}}function gu(e={}){return Object.entries(e).map(([t,{observed:n=0,claimed:o=0,in_doubt:s=0}])=>{let r=n+o,a=s?`, ${s} in doubt`:"";return{name:t||"unknown",value:r?n/r:0,tone:"ok",text:r?`${ts(n/r)} of ${r}${a}`:"no calls"}})}function bu({executions:e=0,actions:t=0,whole_from:n="",detail_from:o=""},s){let r=`Of ${es(e,"execution")} and ${es(t,"action")}.`,a=n?` What started before ${s(n)} was not looked at.`:"",l=o?` Retries, estimates, failures by tool, durations by tool and coverage are of what was done since ${s(o)}.`:"";return r+a+l}var ts,Zo,$n,uu,ib,ab,fn,es,os=E(()=>{ts=e=>`${Math.round(e*1e3)/10} %`;Zo=e=>String(Math.round(e*10)/10),$n=e=>(e??"").includes("T");uu=12;ib={timed_out:"timed out",rate_limited:"too many requests",no_connection:"no connection",not_permitted:"not permitted",not_found:"not found",conflict:"conflict, exists already",invalid:"invalid request",server_error:"server error",out_of_space:"out of disk or memory",cancelled:"cancelled, interrupted",exit_code:"exit code only",other:"something else",no_text:"no error text"};ab=(e,t)=>`${(e/t).toFixed(1)} ×`;fn=e=>e===void 0?null:Xn(Number(e));es=(e,t,n=`${t}s`)=>`${e} ${e===1?t:n}`});function yu(e){let t=document.createElement("span");t.hidden=!0,e.append(t);let n=r=>(t.style.color=`var(${r})`,getComputedStyle(t).color),o={};for(let r of["ok","failed","doubt","waiting","running","undo","idle"])o[r]=n(`--${r}-fill`);o.accent=n("--accent");let s={line:n("--line"),faint:n("--ink-faint"),surface:n("--surface"),sans:getComputedStyle(e).fontFamily};return t.remove(),{...s,of:r=>o[r]??o.idle}}function xu(e,t){let n=t.of(e.tone);if(!e.pattern)return n;let o=8,s=Object.assign(document.createElement("canvas"),{width:o,height:o}),r=s.getContext("2d");if(!r)return n;if(r.fillStyle=n,r.fillRect(0,0,o,o),r.strokeStyle=r.fillStyle=t.surface,r.lineWidth=2,e.pattern==="hatch")for(let a of[-o,0,o])r.beginPath(),r.moveTo(a,o),r.lineTo(a+o,0),r.stroke();else e.pattern==="stripes"?(r.fillRect(0,0,o,2),r.fillRect(0,4,o,2)):e.pattern==="columns"?(r.fillRect(0,0,2,o),r.fillRect(4,0,2,o)):e.pattern==="grid"?(r.fillRect(0,0,o,1),r.fillRect(0,0,1,o)):(r.beginPath(),r.arc(o/2,o/2,1.5,0,7),r.fill());return a=>a.ctx.createPattern(s,"repeat")}var _u=E(()=>{});function ku({figure:e}){let t=A(null),[n,o]=h(null),s=No(vl),r=me("theme"),a=tt(),[l,c]=h(!1);return _(()=>{let d=matchMedia("(prefers-color-scheme: dark)"),u=()=>c(p=>!p);return d.addEventListener("change",u),()=>d.removeEventListener("change",u)},[]),ke(()=>{let d=t.current;if(!d||!s)return;let u=new s(fb(s,e,d,a,o),db(e),d),p=new ResizeObserver(()=>u.setSize({width:d.clientWidth,height:wu}));return p.observe(d),()=>{p.disconnect(),u.destroy()}},[s,e,r,l,a]),i`<div class="plot">
    <p class="plot-readout" aria-hidden="true">
      ${n===null?i`<span class="plot-legend">${e.series.map(d=>i`<span><i class=${`swatch swatch-${d.form} pattern-${d.pattern??"plain"} tone-${d.tone}`}></i>${d.name}</span>`)}</span>`:i`<strong>${ns(e.days[n],a)}</strong> ${e.series.map(d=>i`<span>${d.name} ${Ft(d.values[n],e.unit)}</span>`)}`}
    </p>
    <div class="plot-canvas" ref=${t} role="img" aria-label=${`${e.title}, ${e.headline}; the table holds the values`}></div>
  </div>`}function Su(e){let t=e.days.map(()=>0);return e.series.map(n=>!e.stacked||n.form!=="bars"?n.values:(t=t.map((o,s)=>Number(o)+Number(n.values[s]??0)),t))}function Eu(e){let t=e.series.map((o,s)=>({series:o,index:s})).filter(o=>o.series.form==="bars").reverse(),n=e.series.map((o,s)=>({series:o,index:s})).filter(o=>o.series.form==="line");return[...t,...n]}function db(e){let t=Su(e);return[e.days.map(n=>Date.parse(n)/1e3),...Eu(e).map(({index:n})=>t[n])]}function ub(e){let t=Su(e).flat().filter(a=>Number(a)>0).map(Number),[n,o]=[Math.min(...t),Math.max(0,...t)],s=e.series.every(a=>a.form==="line");if(e.unit==="seconds"&&s&&o>n*lb)return{distr:3,range:()=>[10**Math.floor(Math.log10(n)),10**Math.ceil(Math.log10(o))]};let r=e.unit==="count"?4:1;return{range:()=>[0,e.unit==="share"?1:Math.max(o,r)*1.08]}}function pb(e,t){let n=new Intl.DateTimeFormat("en-GB",{day:"numeric",month:"short",timeZone:t}),o=new Intl.DateTimeFormat("en-GB",{hour:"2-digit",minute:"2-digit",timeZone:t}),s=r=>e&&o.format(r)!=="00:00"?o.format(r):n.format(r);return{space:64,size:24,incrs:e?[1,2,3,6,12,24].map(r=>r*ni):[1,2,7,14,30,90].map(r=>r*vu),values:(r,a)=>a.map(l=>s(l*1e3))}}function fb(e,t,n,o,s){let r=yu(n),a=`11px ${r.sans}`,l={stroke:r.faint,font:a,grid:{stroke:r.line,width:1},ticks:{show:!1}},c=$n(t.days[0]),d=c?o:"Etc/UTC",u=(c?ni:vu)/2,p=ub(t);return{width:n.clientWidth,height:wu,legend:{show:!1},tzDate:$=>e.tzDate(new Date($*1e3),d),cursor:{y:!1,drag:{setScale:!1,x:!1,y:!1},points:{size:6}},hooks:{setCursor:[$=>s($.cursor.idx??null)]},scales:{x:{range:($,f,g)=>[f-u,g+u]},y:p},axes:[{...l,grid:{show:!1},...pb(c,d)},{...l,size:56,space:36,...p.distr?{}:{incrs:cb[t.unit]},values:($,f)=>f.map(g=>g===null?"":Ft(g,t.unit))}],series:[{},...Eu(t).map(({series:$})=>({label:$.name,stroke:r.of($.tone),width:$.form==="line"?1.75:0,spanGaps:!1,dash:$.pattern==="dash"?[5,4]:void 0,fill:$.form==="bars"?xu($,r):void 0,paths:$.form==="bars"?e.paths.bars({size:[.72,28],radius:.12}):e.paths.linear(),points:{show:$.form==="line",size:4}}))]}}var wu,ni,vu,lb,cb,Tu=E(()=>{v();gr();Ve();mt();os();_u();wu=168,ni=3600,vu=24*ni,lb=50,cb={count:[1,2,5,10,20,50,100,200,500,1e3,2e3,5e3,1e4,5e4],seconds:[.1,.5,1,2,5,10,15,30,60,120,300,600,900,1800,3600,7200,10800,21600,43200,86400,172800,604800],share:[.25,.5]}});function Mu({figure:e}){let[t,n]=h(!1),o=i`
    <${w} kind="ghost" icon="table" pressed=${t} label=${`${e.title} as a table`} onClick=${()=>n(!t)} />
    <${w} kind="ghost" icon="export" label=${`${e.title} as CSV`} onClick=${()=>$b(e)} />`;return i`<${R} class="figure" title=${e.title} actions=${o} data-testid=${`figure-${e.id}`}>
    <p class="figure-number num">${e.headline}</p>
    <p class="figure-about soft">${e.about}</p>
    ${t?i`<${mb} figure=${e} />`:i`<${ku} figure=${e} />`}
  <//>`}function $b(e){let{header:t,rows:n}=cu(e);Ye(`tallystick-${e.id}.csv`,pn(t,n),"text/csv")}function mb({figure:e}){let t=tt();return i`<div class="figure-table" role="region" aria-label=${`${e.title}, values`} tabindex="0">
    <table class="table">
      <thead><tr><th scope="col">${$n(e.days[0])?"hour":"day"}</th>${e.series.map(n=>i`<th scope="col" class="right">${n.name}</th>`)}</tr></thead>
      <tbody>${e.days.map((n,o)=>i`<tr key=${n}><th scope="row">${ns(n,t)}</th>${e.series.map(s=>i`<td class="right num">${Ft(s.values[o],e.unit)}</td>`)}</tr>`).reverse()}</tbody>
    </table>
  </div>`}function Qn({title:e,about:t,rows:n,none:o,id:s}){let r=Math.max(1,...n.map(l=>l.value)),a=i`<${w} kind="ghost" icon="export" label=${`${e} as CSV`}
    onClick=${()=>Ye(`tallystick-${s}.csv`,pn(["name","value","text"],n.map(l=>[l.name,l.value,l.text])),"text/csv")} />`;return i`<${R} class="figure" title=${e} actions=${a} data-testid=${`figure-${s}`}>
    <p class="figure-about soft">${t}</p>
    ${n.length?i`<table class="figure-bars"><tbody>${n.map(l=>i`<tr key=${l.name}>
          <th scope="row" title=${_e(l.name)}><${m} text=${l.name} /></th>
          <td><svg class=${`figure-bar tone-${l.tone}`} viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true"><rect width=${l.value/r*100} height="10" /></svg></td>
          <td class="right num">${l.text}</td></tr>`)}</tbody></table>`:i`<p class="soft figure-none">${o}</p>`}
  <//>`}function oi({title:e,about:t,id:n,data:{header:o,rows:s},none:r}){let a=i`<${w} kind="ghost" icon="export" label=${`${e} as CSV`} onClick=${()=>Ye(`tallystick-${n}.csv`,pn(o,s),"text/csv")} />`;return i`<${R} class="figure figure-wide" title=${e} actions=${a} data-testid=${`figure-${n}`}>
    <p class="figure-about soft">${t}</p>
    ${s.length?i`<div class="figure-scroll" role="region" aria-label=${e} tabindex="0"><table class="table">
          <thead><tr>${o.map((l,c)=>i`<th scope="col" class=${c?"right":null}>${l}</th>`)}</tr></thead>
          <tbody>${s.map(([l,...c])=>i`<tr key=${l}><th scope="row"><${m} text=${String(l)} /></th>
            ${c.map(d=>i`<td class=${ee("right num",!d&&"faint")}>${d??"–"}</td>`)}</tr>`)}</tbody>
        </table></div>`:i`<p class="soft figure-none">${r}</p>`}
  <//>`}var Cu=E(()=>{ti();Fn();v();z();mt();os();Tu()});var Ou={};Ce(Ou,{Page:()=>bb});function bb({query:e}){let t=e.get("days")||"",n=t==="1"?"hour":"",o=Object.fromEntries(Au.map(([f])=>[f,e.get(f)||""])),{data:s,problem:r,reload:a}=D({by:[t,...Object.values(o)],kinds:gb},f=>T("/v1/series",{days:t,by:n,...o},{signal:f})),l=le(()=>lu(s?.days??[],s?.durations),[s]),c=s&&!s.days.some(f=>f.started),d=me("zone"),u=f=>Nt(f,d),p=s?.detail_from?`; only what was done since ${u(s.detail_from)}`:"",$=()=>{let{header:f,rows:g}=du(l);Ye(`tallystick-stats-${t?`${t}-days`:"all"}.csv`,pn(f,g),"text/csv")};return i`<div class="page stats">
    <div class="page-head">
      <h1>Stats</h1>
      <${ie} label="Days" value=${t} choices=${hb} onChange=${f=>X({days:f})} />
      ${Au.map(([f,g])=>i`<${yb} key=${f} name=${f} word=${g} value=${o[f]} />`)}
      <div class="page-head-end"><${w} icon="export" disabled=${!s} onClick=${$}>Export as CSV<//></div>
    </div>
    <${L} problem=${r} retry=${a} />
    ${s?c?i`<${R}><${F} icon="stats" title="Nothing was started."><p>Choose more days, or fewer filters.</p><//><//>`:i`<div class="figures">
            ${l.map(f=>i`<${Mu} key=${f.id} figure=${f} />`)}
            <${Qn} id="failures" title="Failures by tool" about=${`actions that ended with failed, of the calls of the tool${p}`} rows=${pu(s.failures,s.tools)} none="No tool failed." />
            <${Qn} id="errors" title="Failures by kind of error" about=${`estimated from the texts of the newest failures${p}`} rows=${fu(s.errors)} none="Nothing failed." />
            <${Qn} id="estimates" title="Estimate against actual, by tool" about=${`steps that had an estimate and succeeded: how many times as long they took${p}`} rows=${$u(s.tools)} none="No step with an estimate succeeded." />
            <${Qn} id="coverage" title="Coverage by client" about=${`calls that a hook, a gateway or an adapter saw; the others were only claimed${p}`} rows=${gu(s.coverage)} none="No call was recorded." />
            <${oi} id="agents" title="Agents side by side" about="executions by the agent that started them; success is the share of those that ended with a verdict" data=${mu(s.agents)} none="No agent started anything." />
            <${oi} id="tools" title="Durations by tool" about=${`of calls that ended: half took less than p50, 90 and 95 of 100 less than p90 and p95${p}`} data=${hu(s.tools)} none="No call was recorded." />
          </div>
          <p class="soft">${bu(s,u)}${s.by==="day"?" Days are in UTC.":""}</p>`:!r&&i`<${H} />`}
  </div>`}function yb({name:e,word:t,value:n}){return i`<label class="inline-field"><span>${t}</span>
    <input type="text" size="12" value=${n} placeholder="all" spellcheck="false" onChange=${o=>X({[e]:o.target.value.trim()})} /></label>`}var hb,Au,gb,Iu=E(()=>{G();Cu();os();ti();Fn();v();te();U();Ve();z();hb=[["","All"],["1","Today"],["7","7 days"],["30","30 days"],["90","90 days"]],Au=[["task_id","Task"],["actor","Agent"],["client","Client"]],gb=["execution_","approval_decided"]});function si(e){let t=_b(e);if(!t)return t;let n=[...e.undos.values()],o=xb.find(([,r])=>n.some(a=>r.has(a)))?.[0]??t,s=o==="undone"&&e.cancellable==="partially-reversible"?"partly":o;return e.kept&&s!=="undone"?"kept":s}function _b(e){return e.kind==="undo"||e.undoes.length||e.effect==="read"||e.state==="skipped"||e.state==="failed"&&e.withoutEffect?"":e.cancellable==="irreversible"?"not_possible":e.whileUnwinding?"may_be_undo":"not_undone"}var xb,Nu=E(()=>{xb=[["undone",new Set(["ok"])],["undoing",new Set(["open"])],["in_doubt",new Set(["unknown","doubted"])],["failed",new Set(["failed"])]]});function Lu(){return{seq:0,at:"",status:"",planId:"",revision:0,steps:new Map,actions:new Map,approvals:new Map,decisions:[],context:new Map}}function kb(e,t){e.seq=t.seq,e.at=t.at,Pb[t.kind]?.(e,t,t.facts??{},t.body??{})}function Ru(e){return[...e.actions.values()].map(t=>({action:t,word:si(t)})).filter(({word:t})=>t&&t!=="undone"&&t!=="kept").sort((t,n)=>+(t.word==="may_be_undo")-+(n.word==="may_be_undo")||n.action.seq-t.action.seq)}function ri(e,t){let n=e.steps.get(t),o=n?.status==="done"?e.actions.get(n.action):void 0;return o&&si(o)==="undone"&&[...o.undos].some(([a,l])=>l==="ok"&&e.actions.get(a)?.kind==="undo")?"undone":n?.status||"planned"}function Du(e){let t=new Set(["open","doubted","unknown"]);return[...e.actions.values()].filter(n=>t.has(n.state))}function Sb(e,t,n){e.status="running",e.planId=n.plan_id??"",e.revision=n.revision??0}function Eb(e,t,n){e.status=n.status}function Tb(e,t,n,o){let s={id:t.id,state:"open",seq:t.seq,at:t.at,endSeq:0,ended:"",kind:n.action_kind??"do",undoes:n.undoes?[n.undoes,...n.undoes_too??[]]:[],kept:!1,tool:n.tool??"",step:n.step??"",effect:n.effect??"unsafe",cancellable:n.cancellable??"",attempt:n.attempt??1,summary:typeof o.summary=="string"?o.summary:"",actor:t.actor,witness:t.witness,withoutEffect:!1,whileUnwinding:!!n.while_unwinding,undos:new Map};e.actions.set(s.id,s),ii(e,n),rs(e,s,!0)}function Mb(e,t,n){let o=e.actions.get(t.id);if(!o)return;let s=n.contradicts?"doubted":n.outcome,r=o.state==="failed"&&s==="failed";if(o.withoutEffect=!!n.without_effect||r&&o.withoutEffect,n.contradicts){o.kept=!1;for(let[d,u]of o.undos)["ok","failed","skipped"].includes(u)&&o.undos.delete(d)}let a=o.state==="ok"&&s!=="ok",l=o.state===s&&["ok","failed","skipped"].includes(s);o.state=s,o.endSeq=t.seq,l||(o.ended=t.at);let c=s==="skipped"&&(t.witness==="observed"||!!n.settles);rs(e,o,!1,a,c)}function Cb(e,t){let n=e.actions.get(t.id);n&&(n.state="doubted",rs(e,n,!1))}function Ab(e,t,n){let o=n.call?e.actions.get(t.id):void 0;o&&(t.witness==="observed"&&(o.witness="observed"),n.effect&&(o.effect=n.effect,o.tool=n.tool??"",n.step&&Pu(e,o,{step:n.step})),ii(e,n))}function Ob(e,t,n,o){let s=typeof o.why=="string"?o.why:"";if(e.decisions.push({seq:t.seq,at:t.at,decision:n.decision,why:s,step:n.step??"",actor:n.credential||t.actor}),n.decision==="keep"){for(let l of n.kept??[])Ib(e,l);return}if(n.action_id){let l=e.actions.get(n.action_id);l&&Pu(e,l,n),ii(e,{approval_id:n.used});return}let r=n.step?ju(e,n.step):void 0;r&&n.decision==="skip"&&(r.status="skipped"),r&&(r.decided=n.decision);let a=e.approvals.get(n.approval_id);a&&(a.blocks=!0),n.decision==="replan"&&n.revision&&(e.revision=n.revision),vb.has(e.status)||(e.status=n.status)}function Pu(e,t,n){t.step||t.undoes.length||t.kind==="undo"||(t.whileUnwinding=!1,t.step=n.step??"",t.cancellable||=n.cancellable??"",t.undoes=n.undoes?[n.undoes,...n.undoes_too??[]]:[],n.undoes&&!n.step&&(t.kind="undo"),t.attempt=n.step?(e.steps.get(n.step)?.attempts??0)+1:1,rs(e,t,!0))}function Ib(e,t){let n=e.actions.get(t);n&&(n.kept=!0)}function Nb(e,t,n,o){let s=typeof o.question=="string"?o.question:"";e.approvals.set(t.id,{seq:t.seq,question:s,tool:n.tool??"",status:"pending",blocks:!1})}function Lb(e,t,n){let o=e.approvals.get(t.id);if(!o)return;o.status=n.verdict;let s=[...e.approvals.values()].some(r=>r.blocks&&r.status==="pending");e.status==="blocked"&&!s&&(e.status="running")}function Rb(e,t,n,o){e.context.set(n.key,{seq:t.seq,value:o.null?null:o.value})}function ii(e,t){let n=t.approval_id?e.approvals.get(t.approval_id):void 0;n&&["approve","edit"].includes(n.status)&&(n.status="used")}function ju(e,t){let n=e.steps.get(t)??{status:"planned",attempts:0,action:"",decided:""};return e.steps.set(t,n),n}function rs(e,t,n,o=!1,s=!1){for(let l of t.undoes){let c=e.actions.get(l);c&&(n||o)&&(c.kept=!1),c?.undos.set(t.id,t.state)}if(t.kind!=="do"||!t.step)return;let r=ju(e,t.step),a=s?"planned":wb[t.state];!n&&Db(r,t,a)||Object.assign(r,{status:a,action:t.id,attempts:r.attempts+(n?1:0),decided:""})}function Db(e,t,n){return e.action&&e.action!==t.id?n!=="done":e.decided==="skip"&&(n==="in_doubt"||n==="planned")}var wb,vb,ss,Pb,ai=E(()=>{Nu();wb={open:"running",ok:"done",failed:"failed",skipped:"skipped",unknown:"in_doubt",doubted:"in_doubt"},vb=new Set(["completed","failed","cancelled","closed"]);ss=class{constructor(t){this.entries=t,this.folded=0,this.state=Lu()}at(t){for(t<this.folded&&(this.folded=0,this.state=Lu());this.folded<t;this.folded+=1)kb(this.state,this.entries[this.folded]);return this.state}countTo(t){let n=this.entries.findIndex(o=>o.seq>t);return n<0?this.entries.length:n}};Pb={execution_started:Sb,execution_ended:Eb,action_begun:Tb,action_ended:Mb,action_doubted:Cb,action_noted:Ab,decision_recorded:Ob,approval_requested:Nb,approval_decided:Lb,context_recorded:Rb}});function qu(e){let[t,n]=h({entries:[],complete:!1,problem:null}),[o,s]=h(0);return Re(r=>r?.kind==="body_erased"&&s(a=>a+1)),_(()=>{let r=new AbortController;return n({entries:[],complete:!1,problem:null}),qb(e,r.signal,(a,l)=>n({entries:a,complete:l,problem:null})).catch(a=>!r.signal.aborted&&n(l=>({...l,problem:a}))),()=>r.abort()},[e,o]),t}async function qb(e,t,n){let o=[],s=0;for(;;){let r=await T("/v1/entries",{execution_id:e,after:s,limit:jb},{signal:t});if(o=[...o,...r.entries],s=r.last_seq,n(o,!r.more),!r.more)return}}function is(e){let{facts:t={},body:n}=e,o=t.channel==="client"?"A client answered":zb[e.kind]??e.kind.replaceAll("_"," "),s=[t.outcome,t.decision?.replaceAll("_"," "),t.verdict,t.status&&e.kind==="execution_ended"?t.status:"",t.tool,t.step&&`step ${t.step}`,t.key],r=n?.summary||n?.why||n?.question||n?.error||n?.reason||"";return{word:o,what:s.filter(Boolean).join(" · "),text:typeof r=="string"?r:se(r)}}function as(e){return e.kind==="action_ended"&&e.facts?.outcome==="failed"?"failed":e.kind==="action_doubted"||e.facts?.outcome==="unknown"?"in_doubt":e.kind==="decision_recorded"?"decision":e.kind.startsWith("approval_")?"approval":""}var jb,Bb,Bu,zb,ls=E(()=>{G();v();Le();te();jb=1e3;Bb=new Set(["action_begun","action_ended","decision_recorded","approval_requested","context_recorded"]),Bu=e=>e.findIndex(t=>Bb.has(t.kind))+1,zb={execution_started:"The execution started",execution_ended:"The execution ended",action_begun:"An action began",action_ended:"An action ended",action_doubted:"An action is in doubt",action_noted:"A note on an action",decision_recorded:"A decision",approval_requested:"A person is asked",approval_decided:"A person answered",context_recorded:"A context value is recorded"}});function zu({entry:e,execution:t}){let{word:n,what:o,text:s}=is(e);return i`<${R} class="now-entry" title=${n} actions=${i`<a href=${x(`/x/${t}`,{tab:"journal",entry:e.seq})}>entry ${e.seq}</a>`}>
    <p class="now-what"><strong><${m} text=${o} /></strong></p>
    ${s&&i`<p class="now-text"><${De} text=${s} /></p>`}
    <p class="soft now-about"><span><${m} text=${e.facts?.credential||e.actor} /></span><${Qe} witness=${e.witness} /><${N} at=${e.at} form="absolute" /></p>
    ${e.body&&i`<details><summary>Details</summary><${ae} value=${e.body} label="body" /></details>`}
  <//>`}function Fu({state:e,steps:t,entry:n}){if(!t.length)return null;let o=(...r)=>t.filter(a=>r.includes(ri(e,a.id))).length,s={done_steps:o("done","undone"),undone_steps:o("undone"),skipped_steps:o("skipped"),total_steps:t.length};return i`<${R} flush title=${`Plan, revision ${e.revision}`} actions=${i`<span class="soft num">${rt(s)}</span>`}>
    <ul class="then">
      ${t.map(r=>{let a=e.steps.get(r.id);return i`<li key=${r.id} class=${n.facts?.step===r.id?"is-now":null}>
          <${K} state=${ri(e,r.id)} quiet />
          <span class="then-text"><${m} text=${r.title||r.id} /></span>
          ${a&&a.attempts>1?i`<span class="soft">attempt ${a.attempts}</span>`:null}
        </li>`})}
    </ul>
  <//>`}function Hu({state:e,now:t}){let n=Du(e);return i`<${R} flush title="Open or in doubt" actions=${i`<span class="soft num">${n.length}</span>`}>
    ${n.length?i`<ul class="then">${n.slice(-50).map(o=>i`<li key=${o.id} class=${o.id===t?"is-now":null}>
          <${K} state=${o.state} quiet /><span class="then-text"><${m} text=${o.summary||o.tool||o.id} /></span>
          <code class="soft">${o.id}</code></li>`)}</ul>`:i`<p class="then-none">No open actions.</p>`}
  <//>`}function Uu({state:e,now:t}){let n=Ru(e);return i`<${R} flush title="Undo list" actions=${i`<span class="soft num">${n.length}</span>`}>
    ${n.length?i`<ul class="then">${n.slice(0,50).map(({action:o,word:s})=>i`<li key=${o.id} class=${o.id===t?"is-now":null}>
          <${K} state=${s} quiet /><span class="then-text"><${m} text=${o.summary||o.tool||o.id} /></span>
          ${o.state!=="ok"&&i`<span class="soft">may have happened</span>`}</li>`)}</ul>`:i`<p class="then-none">Nothing to undo.</p>`}
  <//>`}function Wu({state:e}){let t=[...e.approvals.entries()];return i`<${R} flush title="Decisions and approvals" actions=${i`<span class="soft num">${e.decisions.length+t.length}</span>`}>
    ${e.decisions.length||t.length?i`<ul class="then">
          ${t.map(([n,o])=>i`<li key=${n} class=${o.seq===e.seq?"is-now":null}><${K} state=${o.status} quiet /><a class="then-text" href=${x(`/approvals/${n}`)}><${m} text=${o.question||n} /></a></li>`)}
          ${e.decisions.toReversed().slice(0,50).map(n=>i`<li key=${n.seq} class=${n.seq===e.seq?"is-now":null}>
            <strong>${n.decision.replaceAll("_"," ")}</strong><span class="then-text soft"><${m} text=${n.why} /></span></li>`)}
        </ul>`:i`<p class="then-none">Nothing yet.</p>`}
  <//>`}var Ku=E(()=>{v();U();z();je();ai();ls()});function Vu({entries:e,complete:t,at:n,onMove:o,playing:s,onPlay:r,speed:a,onSpeed:l}){let c=e.length,d=f=>(r(!1),o(Math.max(1,Math.min(c,f)))),u=f=>{let g=f>0?e.findIndex((b,C)=>C>=n&&as(b)):e.slice(0,n-1).findLastIndex(b=>as(b));g>=0&&d(g+1)};Kb(s,Number(a),()=>n<c?o(n+1):r(!1)),fe("Replay",{Space:{label:"play or stop",run:()=>r(!s)},ArrowRight:{label:"next entry",run:()=>d(n+1)},ArrowLeft:{label:"previous entry",run:()=>d(n-1)},l:{label:"next mark: a failure, a doubt, a decision, an approval",run:()=>u(1)},h:{label:"previous mark",run:()=>u(-1)},Home:{label:"to the first entry",run:()=>d(1)},End:{label:"to the last entry",run:()=>d(c)}});let p=e[n-1],$=p?is(p):{word:"",what:""};return i`<div class="track">
    <div class="track-buttons">
      <${w} kind="ghost" icon="first" label="To the first entry" onClick=${()=>d(1)} />
      <${w} kind="ghost" icon="left" label="Previous entry" onClick=${()=>d(n-1)} />
      <${w} kind="primary" icon=${s?"paused":"running"} onClick=${()=>r(!s)} class="track-play">${s?"Stop":n>=c?"Play again":"Play"}<//>
      <${w} kind="ghost" icon="right" label="Next entry" onClick=${()=>d(n+1)} />
      <${ie} label="Entries per second" value=${a} choices=${Fb} onChange=${l} />
      <span class="track-place num">entry ${n} of ${c}${t?"":" read so far"}</span>
    </div>
    <div class="track-line">
      <${Ub} entries=${e} />
      <input type="range" min="1" max=${Math.max(1,c)} step="1" value=${n} aria-label="Entry" data-testid="scrubber"
        aria-valuetext=${`entry ${n} of ${c}: ${$.word} ${$.what}`} onInput=${f=>d(Number(f.target.value))} />
    </div>
    <p class="track-legend soft">
      <span><i class="mark mark-failed"></i> failed</span><span><i class="mark mark-in_doubt"></i> in doubt</span>
      <span><i class="mark mark-decision"></i> decision</span><span><i class="mark mark-approval"></i> approval</span>
      <span class="track-keys"><${Be} keys="h" /> <${Be} keys="l" /> between marks, <${Be} keys="Space" /> to play</span>
    </p>
  </div>`}function Ub({entries:e}){let t=e.map((s,r)=>({kind:as(s),index:r})).filter(s=>s.kind),n=Math.ceil(t.length/Hb),o=s=>e.length>1?s/(e.length-1)*1e3:0;return i`<svg class="track-marks" viewBox="0 0 1000 12" preserveAspectRatio="none" aria-hidden="true">
    ${t.filter((s,r)=>r%n===0).map(s=>i`<path key=${s.index} class=${`mark-${s.kind}`} d=${`M${o(s.index)} ${Wb[s.kind]}V12`} vector-effect="non-scaling-stroke" />`)}
  </svg>`}function Kb(e,t,n){let o=A(n);o.current=n,_(()=>{if(!e)return;let s=setInterval(()=>o.current(),1e3/t);return()=>clearInterval(s)},[e,t])}var Fb,Hb,Wb,Gu=E(()=>{v();Ae();z();ls();Fb=[["1","1/s"],["4","4/s"],["20","20/s"]],Hb=400;Wb={failed:0,in_doubt:2,approval:5,decision:7}});var Ju={};Ce(Ju,{Page:()=>Gb});function Gb({id:e,query:t}){let{entries:n,complete:o,problem:s}=qu(e),r=D({by:[e],kinds:["execution_ended"]},j=>T(`/v1/executions/${encodeURIComponent(e)}/status`,{limit:1},{signal:j})),a=r.data?.execution,l=D({by:[a?.plan_id??""],kinds:["plan_recorded"]},j=>a?.plan_id?T(`/v1/plans/${a.plan_id}`,{},{signal:j}):Promise.resolve(null)),c=me("zone"),[d,u]=h(0),[p,$]=h(!1),[f,g]=h("4"),b=le(()=>new ss(n),[n]),C=Number(t.get("at"))||0;_(()=>{d||!n.length||!o&&n[n.length-1].seq<C||u(Math.max(1,C?b.countTo(C):Bu(n)))},[n,o]),_(()=>{if(!d||p)return;let j=setTimeout(()=>X({at:n[d-1]?.seq},{replace:!0}),Vb);return()=>clearTimeout(j)},[d,p]);let M=j=>{j&&d>=n.length&&u(1),$(j)},y=Math.min(d,n.length),S=n[y-1],O=S?b.at(y):null,V=l.data?.revisions.find(j=>j.revision===O?.revision)?.steps??[];return i`<div class="page replay">
    <header class="replay-head">
      <p><a class="back" href=${x(`/x/${e}`)}>Current state of the execution</a></p>
      <div class="page-head">
        <h1>Replay of <${m} text=${a?.title||e} /></h1>
        ${O?.status&&i`<${K} state=${O.status} />`}
        ${S&&i`<time class="soft num" dateTime=${S.at}>${en(S.at,c)}</time>`}
      </div>
    </header>
    <${L} problem=${s||r.problem} />
    ${!S||!O?!s&&i`<${H} what=${n.length?`Reading, ${n.length} entries so far`:"Reading"} />`:i`
        <${Vu} entries=${n} complete=${o} at=${y} onMove=${u} playing=${p} onPlay=${M} speed=${f} onSpeed=${g} />
        ${!o&&i`<p class="soft" role="status">Reading on: ${n.length} entries so far.</p>`}
        <div class="replay-body">
          <div><${zu} entry=${S} execution=${e} /><${Wu} state=${O} /></div>
          <div><${Fu} state=${O} steps=${V} entry=${S} /><${Hu} state=${O} now=${S.id} /></div>
          <div><${Uu} state=${O} now=${S.id} /></div>
        </div>
        <p class="soft">A doubt appears with the entry that records it. Owed actions are listed newest first; the page of the execution has the order to undo them.</p>`}
  </div>`}var Vb,Yu=E(()=>{G();v();te();ai();Ku();ls();Gu();U();Ve();z();Vb=300});async function Xu(e,t){let n=[],o=0;for(let s=!0;s;){let r=await T("/v1/export",{after:o,limit:Jb});n.push(...r.lines.map(a=>`${a.trimEnd()}
`)),{last_seq:o,more:s}=r,t(o)}Ye(`${e}.jsonl`,n,"application/x-ndjson")}var Jb,Qu=E(()=>{G();Fn();Jb=2e3});var ep={};Ce(ep,{Page:()=>Yb});function Yb(){let[e,t]=h({name:"",busy:!1,read:null,problem:null}),[n,o]=h(!1),s=A(null),r=async l=>{if(!l)return;t({name:l.name,busy:!0,read:null,problem:null});let c=await Qb(l).then(d=>({read:d,problem:null}),d=>({read:null,problem:d}));t({name:l.name,busy:!1,...c})};return i`<div class="page import">
    <div class="page-head"><h1>Open an export</h1></div>
    <p class="soft import-lead">Choose a JSONL file of a journal, written by <code>tallystick export</code> or by the button below, or of one
      execution, written by its page. The server verifies it as far as possible and keeps it in memory for a while. Only you see it. The journals of this server are not changed.</p>
    <div class=${`drop ${n?"is-over":""}`} onDragOver=${l=>(l.preventDefault(),o(!0))} onDragLeave=${()=>o(!1)} onDrop=${l=>{l.preventDefault(),o(!1),r(l.dataTransfer?.files[0])}}>
      <${k} name="import" size=${24} />
      <p>Drop a file here, or</p>
      <${w} kind="primary" disabled=${e.busy} onClick=${()=>s.current?.click()}>Choose a file<//>
      <input ref=${s} type="file" accept=".jsonl,.ndjson,application/x-ndjson" class="visually-hidden" tabindex="-1" aria-label="JSONL file"
        onChange=${l=>(r(l.target.files[0]),l.target.value="")} />
    </div>
    <p role="status" class="soft">${e.busy?`Reading ${e.name}…`:""}</p>
    <${L} problem=${e.problem} />
    ${e.read&&i`<${Zb} name=${e.name} read=${e.read} />`}
    <${Xb} />
  </div>`}function Xb(){let e=Oe(),[t,n]=h(""),[o,s]=h(null),r=Z()||e.journal||"journal";return i`<section class="take-along" aria-labelledby="take-along">
    <h2 id="take-along">Export this journal</h2>
    <p class="soft import-lead">Every entry of <code>${r}</code>, exactly as stored. Anyone can verify the file
      with <code>tallystick verify --file ${r}.jsonl</code>, or with Python alone.</p>
    <${w} icon="export" onClick=${async()=>{s(null),await Xu(r,l=>n(`Read ${l} entries…`)).then(()=>n("The download has started."),l=>(n(""),s(l)))}}>Export the whole journal<//>
    <p role="status" class="soft">${t}</p>
    <${L} problem=${o} />
  </section>`}async function Qb(e){if(e.size>Zu)throw Object.assign(new Error(`${e.name} is larger than ${Zu/1024/1024} MB.`),{hint:"Export less, for example one execution."});return Te("/v1/imports",await e.text())}function Zb({name:e,read:t}){return i`<${R} title=${e}>
    <div class="import-result">
      ${t.verified?i`<p class="import-good"><${k} name="completed" /> The chain verifies from the first entry of this file to the last. Only a head stored elsewhere can show whether later entries are missing, or whether all of it was rewritten.</p>`:i`<p class="warning-note"><${k} name="warning" /> It does not verify: ${(t.problem||"the chain is broken").replace(/\.$/,"")}. Readable entries are shown anyway; do not rely on them.</p>`}
      <${Ne} rows=${[["entries",i`<span class="num">${t.entries}</span>`],["shown as",i`<code>${t.journal}</code>`]]} />
      <${Fe} kind="primary" icon="executions" href=${`/executions?journal=${encodeURIComponent(t.journal)}`}>Open it<//>
    </div>
  <//>`}var Zu,tp=E(()=>{G();Qu();v();oe();U();ze();z();Zu=32*1024*1024});var np={};Ce(np,{Page:()=>ey});function ey(){return i`<h1 class="visually-hidden">Not found</h1>
    <${F} title="There is no page at this address.">
      <a href=${x("/executions")}>All executions</a>
    </${F}>`}var op=E(()=>{v();U();z()});v();Wt();var Ki=()=>!document.activeElement||document.activeElement===document.body||document.activeElement.id==="main";function Vi(){let e=null;document.addEventListener("focusin",t=>e=t.target instanceof Element?t.target:null),new MutationObserver(()=>{!e||e.isConnected||document.activeElement!==document.body||(e=null,document.getElementById("main")?.focus({preventScroll:!0}))}).observe(document.body,{childList:!0,subtree:!0})}Ae();te();var kr={};Ce(kr,{Page:()=>im});G();G();v();te();U();z();function Va({execution:e,task:t}){let{data:n,problem:o,reload:s}=D({by:[e,t],kinds:["context_recorded","body_erased"]},async r=>{let a=[{scope:"execution",execution_id:e},...t?[{scope:"task",task_id:t}]:[]];return(await Promise.all(a.map(c=>T("/v1/context",{...c,limit:100},{signal:r})))).flatMap(c=>c.values)});return o?i`<${L} problem=${o} retry=${s} />`:n?n.length?i`<div class="context-tab">${n.map(r=>i`<${Ef} key=${r.scope+r.key} value=${r} execution=${e} />`)}</div>`:i`<${F} icon="context" title="No context values for this execution."><a href=${x("/context")}>Context of the whole project</a></${F}>`:i`<${H} />`}function Ef({value:e,execution:t}){let[n,o]=h(!1);return i`<${R} title=${i`<code><${m} text=${e.key} /></code>`} actions=${i`<span class="faint">${e.type} · for this ${e.scope} · <${m} text=${e.actor} /> · <${N} at=${e.at} /></span>`}>
    ${e.erased||e.altered?i`<p class="soft">${e.erased?"Its text was erased.":"Its stored text was altered and is not shown."}</p>`:i`<${ae} value=${e.value} label=${e.key} />`}
    ${e.versions>1&&i`<${w} kind="ghost" aria-expanded=${String(n)} onClick=${()=>o(!n)}>${n?"Hide":"Show"} its history (${e.versions})</${w}>`}
    ${n&&i`<${Tf} value=${e} execution=${t} />`}
  </${R}>`}function Tf({value:e,execution:t}){let n=e.scope==="execution"?{execution_id:t}:{task_id:e.scope_id},{data:o,problem:s}=D({by:[e.key,e.seq]},r=>T(`/v1/context/${encodeURIComponent(e.key)}`,{scope:e.scope,...n,limit:50},{signal:r}));return s?i`<${L} problem=${s} />`:o?i`<ol class="history">${o.values.slice(1).map(r=>i`<li key=${r.seq}><p class="faint"><${N} at=${r.at} /> by <${m} text=${r.actor} /></p><${ae} value=${r.value} label=${`${e.key}, earlier`} /></li>`)}</ol>`:i`<${H} />`}v();z();function Ga({coverage:e}){return e?i`<div class="coverage-tab">
    <${R} title="Recorded actions">
      <div class="seen-figures">
        <${Eo} value=${e.begun} word="begun" />
        <${Eo} value=${e.ended} word="finished" />
        <${Eo} value=${e.open||0} word="without an end" />
        <${Eo} value=${e.unplanned||0} word="unplanned" />
      </div>
      <p class="soft">Observed: a hook, a gateway or a runner saw the call. Claimed: the agent reported it. Last entry ${e.silent_for} ago.</p>
      ${e.unobserved_client&&i`<p class="warn">No events from the hooks of ${e.unobserved_client} in this conversation: its calls are not recorded. <code>tallystick setup --check</code> says why.</p>`}
      ${e.spool_behind?i`<p class="warn">${e.spool_behind} bytes of hook events are not in the journal yet.</p>`:null}
    </${R}>
    <${R} title="Observers">
      ${e.observers?.length?e.observers.map(t=>i`<div class="observer" key=${t.session}>
              <${Ne}
                rows=${[["client",i`${t.client} ${t.silent?i`<${ne} tone="failed" icon="warning">silent</${ne}>`:t.alive===!1?i`<${ne} tone="idle">ended</${ne}>`:i`<${ne} tone="ok" icon="observed">active</${ne}>`}`],["session",i`<code>${t.session}</code>`],["conversation",t.conversation],["last event",i`<${N} at=${t.last_event} />`]]}
              />
            </div>`):i`<p>No hook, gateway or adapter sees the agent of this execution: what is claimed here is only what the agent reported. To record calls by hooks, run <code>tallystick setup</code>.</p>`}
    </${R}>
  </div>`:i`<${F} title="No coverage is known." />`}function Eo({value:e,word:t}){return i`<p class="seen-figure"><strong>${e??0}</strong><span>${t}</span></p>`}tn();v();Le();Nn();He();Yt();Kt();Rn();sn();tn();Wt();v();oe();Le();U();ze();He();Yt();Kt();v();var Co=new Set,pr=new Set;function Qa(e,t){_(()=>{if(t)return Co.add(e),()=>{Co.delete(e);for(let n of pr)n(0)}},[e,t])}function Dn(e){let[,t]=Ht(s=>s+1,0),n=A([]);_(()=>(pr.add(t),()=>{pr.delete(t)}),[]);let o=[...e];return n.current.forEach((s,r)=>{(Co.has(s.action_id)||Co.has(s.undone_by||""))&&!e.some(l=>l.action_id===s.action_id)&&o.splice(r,0,{...s,gone:!0})}),n.current=o}function Pn({about:e,acts:t,label:n,over:o="It changed meanwhile.",first:s,more:r,onDone:a}){let[l,c]=h(""),[d,u]=h(""),p=A(void 0);Qa(e,!!l);let $=A(null),f=A("");_(()=>{let y=$.current;return()=>jf(y,!!f.current)},[]),_(()=>{if(l||!f.current)return;$.current?.querySelector(d?".act-receipt":`[data-act="${f.current}"]`)?.focus()},[l]);let g=t.find(y=>y.id===l),b=p.current=l?g??p.current:void 0;if(Se()||!t.length&&!s&&!r&&!b&&!d)return null;let C=y=>(f.current=y||l,u(""),c(y)),M=y=>{let S=qf(y,e.startsWith("ex_"));$e(S,"ok"),u(S),f.current=l,c(""),a?.(y)};return i`<div class="acts" ref=${$}>
    ${!b&&i`<div class="acts-row" role="group" aria-label=${n}>
      ${s}
      ${t.map(y=>i`<${w} key=${y.id} icon=${y.icon} kind=${y.danger?"danger":"plain"} data-act=${y.id} onClick=${()=>C(y.id)}>${y.label}<//>`)}
      ${r}
    </div>`}
    ${b&&i`<${Bf} key=${b.id} act=${b} about=${e} over=${g?"":o} onDone=${M} onCancel=${()=>C("")} />`}
    ${d&&!b&&i`<p class="act-receipt" tabindex="-1" role="status"><${k} name="check" size=${14} /> ${d}</p>`}
  </div>`}function jf(e,t){!t&&!e?.contains(document.activeElement)||setTimeout(()=>document.activeElement===document.body&&document.getElementById("main")?.focus({preventScroll:!0}))}function qf({seq:e,repeated:t,status:n,state:o,notes:s=[]},r){let a=o?` The action is ${o==="in_doubt"?"still in doubt":o}.`:n&&r?` The execution is ${n}.`:"";return`${t?"Was recorded before":"Recorded"} as entry ${e}.${a}${s.length?` ${s.join(" ")}`:""}`}function Bf({act:e,about:t,over:n,onDone:o,onCancel:s}){let r=Oe(),a=Object.fromEntries([...e.fields.map(({name:P,choices:q})=>[P,q?.[0][0]||""]),["key",""],["sent",""]]),[l,c,d]=lo(io("act",t,e.id),a),[u,p]=h(!1),[$,f]=h(!1),[g,b]=h(null),C=A(null),M=Me(),y=e.fields.find(({name:P,missing:q})=>q&&!l[P]?.trim()),S=e.needs==="approve"?r.may_decide:r.scopes.some(P=>P==="agent"||P==="run"),O=A(!1);_(()=>{O.current&&!Ki()||(O.current=!0,C.current?.querySelector("textarea, .choice button, [type=submit]")?.focus(),C.current?.scrollIntoView({block:"nearest"}))},[S]);let V=async P=>{if(P.preventDefault(),p(!0),y||$||!S||n)return;f(!0);let q=e.request(l),W=se(q),J=l.sent===W&&l.key?l.key:on();c({sent:W,key:J});try{let re=await e.send(q,J);d(),o(re)}catch(re){let{status:B}=re;(B===401||B===403)&&ut(),b(re),f(!1)}},j=()=>{n&&d(),s()};return i`<div class="act" ref=${C} onKeyDown=${P=>{P.key==="Escape"&&(P.stopPropagation(),j()),P.key==="Enter"&&(P.metaKey||P.ctrlKey)&&V(P)}}>
    <form onSubmit=${V} aria-labelledby=${`${M}-title`}>
      <p class="act-title" id=${`${M}-title`}>${e.title}</p>
      ${e.note&&i`<p class="soft">${e.note}</p>`}
      ${e.fields.map(P=>i`<${zf} key=${P.name} field=${P} value=${l[P.name]} onInput=${q=>c({[P.name]:q})} />`)}
      <p class="field-problem" role="alert">${u&&y?y.missing:""}</p>
      ${g&&i`<div class="act-refusal" role="alert"><${k} name="warning" size=${14} /><span>${g.message}${g.hint&&i` <strong>${g.hint}</strong>`}</span></div>`}
      ${n&&!$&&i`<div class="act-refusal" role="alert"><${k} name="warning" size=${14} /><span>${n} <strong>Nothing can be sent any more.</strong></span></div>`}
      <div class="act-send">
        ${S&&i`<${w} kind=${e.danger?"danger":"primary"} type="submit" icon=${e.icon} disabled=${$||!!n}>${e.submit}<//>`}
        <${w} kind="ghost" onClick=${j}>${n?"Close":"Not yet"}<//>
      </div>
    </form>
    ${!S&&!n&&r.version&&i`<${Ff} act=${e} />`}
    ${!n&&i`<${Hf} act=${e} open=${!S} />`}
  </div>`}function zf({field:e,value:t,onInput:n}){let{label:o,hint:s,choices:r}=e;return r?i`<div class="field"><span>${o}</span><${ie} label=${o} value=${t} choices=${r} onChange=${n} /></div>`:i`<label class="field"><span>${o} ${s&&i`<span class="faint">${s}</span>`}</span>
    <textarea rows="2" value=${t} maxlength="2000" onInput=${a=>n(a.target.value)}></textarea></label>`}function Ff({act:e}){return e.needs==="approve"?i`<p class="note">Only a person who may decide can do this. What you typed is kept.</p><${Je} />`:i`<p class="note">This is decided by whoever may record: an agent or a runner, with the scope <code>agent</code> or <code>run</code>. Your login may not. Ask the agent, or use the command where the journal is.</p>`}function Hf({act:e,open:t}){let n=gt().commandLine(e.command);return i`<details class=${ee("act-command",t&&"is-needed")} open=${t}>
    <summary>At the command line</summary>
    <span class="command"><code>${n}</code><${be} text=${n} what="the command" /></span>
  </details>`}G();tn();var $r=(e,t)=>Te("/v1/decisions",e,{key:t}),Uf=(e,t)=>Te("/v1/actions",e,{key:t}),fr=(e,t)=>({name:"evidence",label:e,hint:"recorded in the journal as yours",missing:t}),Ao=e=>({name:"why",label:"Reason",hint:"recorded in the journal, and shown to the agent",missing:e}),Za="Say how you know: look at the real system first.";function el(e){let t={decision:"settle",action_id:e},n=s=>`record decision settle --action-id ${Ge(e)} --outcome ${s} --evidence 'how you know'`,o={needs:"approve",send:$r};return[{...o,id:"happened",label:"It happened",icon:"check",title:"It happened",submit:"Record that it happened",command:n("ok"),fields:[{name:"outcome",label:"What came of it",choices:[["ok","It succeeded"],["failed","It failed"],["without_effect","It failed and changed nothing"]]},fr("How you know",Za)],request:({outcome:s,evidence:r})=>({...t,evidence:r,...s==="without_effect"?{outcome:"failed",without_effect:!0}:{outcome:s}})},{...o,id:"not",label:"It did not",icon:"close",title:"It did not happen",submit:"Record that it did not happen",command:n("skipped"),note:"The agent may then do it again.",fields:[fr("How you know",Za)],request:({evidence:s})=>({...t,outcome:"skipped",evidence:s})},{...o,id:"unknown",label:"I cannot tell yet",icon:"in_doubt",title:"You cannot tell yet",submit:"Record what you looked at",command:n("unknown"),note:"It stays in doubt, and nobody repeats it. The next person reads what you looked at.",fields:[fr("What you looked at","Say what you looked at.")],request:({evidence:s})=>({...t,outcome:"unknown",evidence:s})}]}function tl(e){return[{id:"undid",label:"I undid it",icon:"unwinding",title:"You undid it",submit:"Record that it is undone",needs:"approve",send:Uf,note:"Tallystick undoes nothing: say so only when it is done.",fields:[{name:"summary",label:"What you did, and how you checked it",missing:"Say what you did."}],request:({summary:t})=>({phase:"done",kind:"undo",undoes:e,outcome:"ok",summary:t}),command:`record action done --kind undo --undoes ${Ge(e)} --outcome ok --summary 'what you did'`},{id:"keep",label:"Keep it",icon:"save",title:"Keep it as it is",submit:"Take it off the list",needs:"approve",send:$r,note:"It is then not owed any more. Nothing is undone.",fields:[Ao("Say why it is kept.")],request:({why:t})=>({decision:"keep",action_id:e,why:t}),command:`record decision keep --action-id ${Ge(e)} --why 'the reason'`}]}var Wf=[["stop","Stopped"],["fail","Failed"],["done","Done"]],jn=(e,t,n)=>({id:t,needs:"approve",send:$r,fields:[Ao(`Say why you decide to ${t}.`)],request:o=>({decision:t,execution_id:e,why:o.why}),command:`record decision ${t} --execution-id ${Ge(e)} --why 'the reason'`,...n}),Kf=e=>jn(e,"stop",{id:"end",label:"End it",icon:"cancelled",danger:!0,title:"End this execution",submit:"End it for good",note:"It stays ended. Stopped and failed: what was done and is not undone is owed. Done: what is left undone is recorded with your reason.",fields:[{name:"decision",label:"How it ended",choices:Wf},Ao("Say why you end it.")],request:({decision:t,why:n})=>({decision:t,execution_id:e,why:n,...t==="done"?{incomplete:!0}:{}})}),Vf={running:["pause","unwind"],blocked:["pause","unwind"],paused:["resume","unwind"],unwinding:["pause"]};function nl({id:e,status:t}){let n={pause:jn(e,"pause",{label:"Pause",icon:"paused",title:"Pause this execution",submit:"Pause it",note:"No new action may begin. What is under way may end."}),resume:jn(e,"resume",{label:"Resume",icon:"running",title:"Resume this execution",submit:"Resume it"}),unwind:jn(e,"unwind",{label:"Unwind",icon:"unwinding",danger:!0,needs:"agent",title:"Unwind this execution",submit:"Unwind it",note:"What was done becomes owed, the newest first. No planned step begins any more."})},o=Vf[t];return o?[...o.map(s=>n[s]),Kf(e)]:[]}var Gf=["running","blocked","unwinding"],qn=e=>Gf.includes(e),ol=(e,t)=>jn(e,"retry",{label:"Retry",icon:"replay",needs:"agent",title:"Permit another attempt",submit:"Permit one retry",note:"It permits one repeated call of this step.",fields:[Ao("Say why another attempt will do better.")],request:({why:n})=>({decision:"retry",execution_id:e,step:t,why:n}),command:`record decision retry --execution-id ${Ge(e)} --step ${Ge(t)} --why 'the reason'`});function Bn({action:e,doubtful:t=!0,onDone:n}){return i`<${Pn} about=${e} label="What came of it" acts=${t?el(e):[]} over="It is not in doubt any more." onDone=${n} />`}var sl="runner",Jf=["not_undone","undoing","partly","failed","may_be_undo","in_doubt"];function rl({item:e,offered:t,onDone:n}){let{action_id:o,state:s,undo:r,undone_by:a}=e,l=t&&Jf.includes(s)&&!e.gone,c=r?.tool?`${r.tool} ${se(r.arguments||{})}`:r?.words||"",d=l&&c&&i`<${Xf} text=${c} word="Copy the undo" done="The undo is copied." />`,u=l&&s==="in_doubt"&&!!a;return i`${u&&i`<p class="soft">Its undo is in doubt:</p>`}
    ${a&&i`<${Bn} action=${a} doubtful=${u} onDone=${n} />`}
    <${Pn} about=${o} label="What is owed" acts=${l?tl(o):[]} over="It is undone or kept by now." more=${d} onDone=${n} />`}function Yf({execution:{id:e,interrupted_by:t}}){let{shown:n}=ht(),{commandLine:o}=gt(),s=o(`get brief --execution-id ${e}`),r=o(`run --resume ${e}`),a=`Continue the execution ${e} of the Tallystick journal ${JSON.stringify(n)}. First read its brief: query_ledger with view=brief and execution_id=${e}, or the command ${s}. Look at the real system and settle what is in doubt; repeat nothing that is in doubt. Then go on with the next step, or ask me.`;return i`<div class="take-up">
    ${t===sl&&i`<p class="act-title">Let a runner go on</p>
      <p class="soft">Add the <code>--tools</code>, <code>--mcp</code> and <code>--policy</code> of the first time. A run of <code>tallystick serve</code> goes on when that runs again.</p>
      <span class="command"><code>${r}</code><${be} text=${r} what="the command" /></span>`}
    <p class="act-title">${t===sl?"Or paste":"Paste"} this into an agent</p>
    <div class="take-up-text"><p>${a}</p><${be} text=${a} what="the text for an agent" /></div>
  </div>`}function il({execution:e,onDone:t}){let[n,o]=h(!1),s=nl(e),r=e.interrupted&&i`<${w} kind="primary" icon="follow" aria-expanded=${String(n)} onClick=${()=>o(!n)}>Take it up<//>`;return i`<${Pn} about=${e.id} label="Decide about this execution" acts=${s} over=${`The execution is ${e.status} by now.`} first=${r} onDone=${t} />
    ${n&&e.interrupted&&i`<${Yf} execution=${e} />`}`}function al({execution:e,step:t,failed:n,onDone:o}){return i`<${Pn} about=${`${e} ${t}`} label="Failed step" acts=${n?[ol(e,t)]:[]} over="No retry can be permitted any more." onDone=${o} />`}function Xf({text:e,word:t,done:n}){return i`<${w} icon="copy" onClick=${async()=>{let s=await Jt(e);$e(s?n:"It cannot be copied.",s?"ok":"failed")}}>${t}<//>`}G();v();Ae();te();U();z();G();v();te();U();z();var Qf=[["why","Why"],["question","Question"],["answer","Answer"],["reason","Reason"],["summary","Summary"],["error","Error"],["rejected","Why the others were not chosen"]];function ll({seq:e,onAction:t}){let{data:n,problem:o,reload:s}=D({by:[e],kinds:["body_erased"]},c=>T("/v1/entries",{after:e-1,limit:1},{signal:c}));if(o)return i`<${L} problem=${o} retry=${s} />`;if(!n)return i`<${H} />`;let r=n.entries[0];if(!r||r.seq!==e)return i`<p class="soft">There is no entry ${e}, or you may not see it.</p>`;let a=r.body||{},{facts:l}=r;return i`<div class="detail-body">
    <h2>${zn(r.kind)}</h2>
    <p class="detail-tags">${l.decision&&i`<strong>${l.decision}</strong>`}${l.status&&i`<${K} state=${l.status} />`}<${Qe} witness=${r.witness} /></p>
    <${Ne}
      rows=${[["entry",i`<code>${r.seq}</code>`],["about",r.id&&(r.id.startsWith("ac_")?i`<button type="button" class="row-button mono" onClick=${()=>t(r.id)}>${r.id}</button>`:i`<${Ue} id=${r.id} />`)],["by",i`<${m} text=${r.actor||"–"} /> (${r.actor_kind||"agent"})`],["at",i`<${N} at=${r.at} />`],["clock",r.behind&&`${ue(r.behind*1e3)} behind the entry before`],["step",l.step&&i`<code><${m} text=${l.step} /></code>`],["approval",l.approval_id&&i`<a href=${x(`/approvals/${l.approval_id}`)}><code>${l.approval_id}</code></a>`],["trace",r.trace&&i`<code>${r.trace}</code>`],["key",r.key&&i`<code>${r.key}</code>`],["hash",i`<code class="hash">${r.hash}</code>`]]}
    />
    ${r.kind==="unreadable"&&i`<p class="warn">This entry cannot be read: <${m} text=${l.problem} />. ${l.needs?`Install ${l.needs==="newer"?"the newest version":`version ${l.needs}`}.`:i`Run <code>tallystick verify</code> to see whether it was changed.`}</p>`}
    ${r.erased&&i`<p class="soft">Its text was erased. The entry remains, and the chain still verifies.</p>`}
    ${r.altered&&i`<p class="warn">Its stored text is not the one that was recorded, and is not shown. Run <code>tallystick verify</code>.</p>`}
    ${Qf.map(([c,d])=>typeof a[c]=="string"&&a[c]?i`<section class="part"><h3>${d}</h3><${Qt} text=${a[c]} /></section>`:null)}
    ${Array.isArray(a.alternatives)&&i`<section class="part"><h3>Alternatives</h3><ul>${a.alternatives.map(c=>i`<li><${m} text=${String(c)} /></li>`)}</ul></section>`}
    <section class="part"><h3>Raw</h3><${ae} value=${r} label="entry" /></section>
  </div>`}function cl({entries:e}){return i`<section class="part">
    <h3>Entries (${e.length})</h3>
    ${e.map(t=>i`<details class="entry-raw" key=${t.seq}>
        <summary><span class="num faint">${t.seq}</span> ${zn(t.kind)} <${Qe} witness=${t.witness} /> <span class="faint"><${m} text=${t.actor} /></span></summary>
        <${ae} value=${t} label=${`entry ${t.seq}`} />
        <p><a href=${x(location.pathname,{tab:"journal",entry:t.seq})}>Link to this entry</a></p>
      </details>`)}
  </section>`}var zn=e=>e.replaceAll("_"," ");function dl({execution:e,status:t,action:n,step:o,entry:s,steps:r,onClose:a,onAction:l}){let c=A(null);return fe("Detail",{Escape:{label:"close the detail",run:a}}),_(()=>{let d=document.activeElement;return()=>{(!document.activeElement||document.activeElement===document.body)&&d instanceof HTMLElement&&d.isConnected&&d.focus()}},[]),_(()=>{matchMedia("(max-width: 1000px)").matches&&c.current?.focus()},[n,o,s]),i`<aside class="detail" aria-label="Detail" ref=${c} tabindex="-1">
    <div class="detail-close"><${be} text=${location.href} what="link to this" /><${w} kind="ghost" icon="close" label="Close the detail" onClick=${a} /></div>
    ${n?i`<${Zf} key=${n} id=${n} execution=${e} onAction=${l} />`:s?i`<${ll} key=${s} seq=${Number(s)} onAction=${l} />`:i`<${e$} key=${o} execution=${e} status=${t} step=${r.find(d=>d.id===o)} onAction=${l} />`}
  </aside>`}function Zf({id:e,execution:t,onAction:n}){let{data:o,problem:s,reload:r}=D({by:[e],execution:t},f=>Promise.all([T(`/v1/actions/${encodeURIComponent(e)}`,{},{signal:f}),T("/v1/entries",{id:e,execution_id:t,limit:50},{signal:f})]));if(!o)return s?i`<${L} problem=${s} retry=${r} />`:i`<${H} />`;let[a,l]=o,{begin_body:c={},end_body:d={}}=a,u=f=>i`<button type="button" class="row-button mono" onClick=${()=>n(f)}>${f}</button>`,p=d.before??c.before,$=l.entries.find(f=>f.trace)?.trace;return i`<div class="detail-body">
    <${L} problem=${s} retry=${r} />
    <h2><${m} text=${c.summary||a.tool||a.id} /></h2>
    <p class="detail-tags"><${K} state=${a.state} /><${Qe} witness=${a.witness||"claimed"} />${a.kind==="undo"&&i`<${K} state="unwinding" word="undo" />`}</p>
    <${Ne}
      rows=${[["action",i`<${Ue} id=${a.id} />`],["tool",a.tool&&i`<code><${m} text=${a.tool} /></code>`],["step",a.step&&i`<a href=${x(location.pathname+location.search,{step:a.step,action:""})}><code><${m} text=${a.step} /></code></a>`],["by",a.actor&&i`<${m} text=${a.actor} />`],["attempt",(a.attempt||1)>1?String(a.attempt):""],["begun",i`<${N} at=${a.begun} />`],["took",a.state==="skipped"?"":a.ended?i`<${$t} from=${a.begun} to=${a.ended} />`:a.state==="in_doubt"?"no end is recorded":i`<${$t} from=${a.begun} />`],["effect",a.effect],["undo",a.undo_state&&i`<${K} state=${a.undo_state} quiet />`],["temporary",a.temporary&&"yes"],["recorded",a.after_the_fact&&"after the fact"],["permission",a.permission],["repeats",a.repeats&&i`${u(a.repeats)}, which was in doubt`],["repeated by",a.repeated_by?.length?u(a.repeated_by.at(-1)):""],["undoes",a.undoes&&u(a.undoes)],["undone by",a.undone_by&&u(a.undone_by)],["trace",$&&i`<code>${$}</code>`]]}
    />
    <${Bn} action=${a.id} doubtful=${a.state==="in_doubt"} />
    <${he} title="Error">${d.error&&i`<${Qt} text=${d.error} />`}</${he}>
    <${he} title="Arguments">${"arguments"in c&&i`<${ae} value=${c.arguments} label="arguments" />`}</${he}>
    <${he} title="Result">${"result"in d&&i`<${ae} value=${d.result} label="result" />`}</${he}>
    <${he} title="Before and after">${p!==void 0&&d.after!==void 0&&i`<${qe} before=${p} after=${d.after} />`}</${he}>
    <${he} title="Before">${p!==void 0&&d.after===void 0&&i`<${ae} value=${p} label="before" />`}</${he}>
    <${he} title="After">${p===void 0&&d.after!==void 0&&i`<${ae} value=${d.after} label="after" />`}</${he}>
    <${he} title="Why it was repeated">${c.again&&i`<${m} text=${c.again} />`}</${he}>
    <${he} title="Evidence">${d.evidence&&i`<${m} text=${d.evidence} />`}</${he}>
    <${he} title="Outcome">${d.summary&&i`<${m} text=${d.summary} />`}</${he}>
    <${he} title="How to undo it">${c.undo&&i`<${ae} value=${c.undo} label="undo" />`}</${he}>
    <${cl} entries=${l.entries} />
  </div>`}function e$({execution:e,status:t,step:n,onAction:o}){let{data:s}=D({by:[e,n?.id],execution:e},a=>n?T(`/v1/executions/${encodeURIComponent(e)}/work`,{step:n.id,unfolded:!0},{signal:a}):Promise.resolve({rows:[]})),r=s?.rows||[];return n?i`<div class="detail-body">
    <h2><${m} text=${n.title||n.id} /></h2>
    <p class="detail-tags"><${K} state=${n.actual} /></p>
    <${Ne}
      rows=${[["step",i`<code>${n.id}</code>`],["tool",n.tool&&i`<code><${m} text=${n.tool} /></code>`],["after",n.after?.length&&i`<code>${n.after.join(", ")}</code>`],["can be undone",n.cancellable],["estimate",Number(n.estimate)?`${Number(n.estimate)} s`:""],["decided",n.decided]]}
    />
    <${al} execution=${e} step=${n.id} failed=${n.actual==="failed"&&qn(t)} />
    <${he} title=${`Attempts (${r.length})`}>
      ${r.length?i`<ul class="plain-list">${r.map(a=>i`<li key=${a.id}><${K} state=${a.state} /><button type="button" class="row-button" onClick=${()=>o(a.id)}>${a.action_kind==="undo"?"undo":`attempt ${a.attempts||1}`}</button><span class="faint">${a.actor}</span><${N} at=${a.begun} /></li>`)}</ul>`:i`<p class="soft">No attempt yet.</p>`}
    </${he}>
  </div>`:i`<p class="soft">The current plan has no such step.</p>`}function he({title:e,children:t}){return t?i`<section class="part"><h3>${e}</h3>${t}</section>`:null}G();v();oe();te();z();function ul({execution:e,onAction:t}){let{data:n,problem:o,reload:s}=D({by:[e]},a=>T("/v1/in-doubt",{execution_id:e,limit:100},{signal:a})),r=Dn(n?.in_doubt??[]);return n?r.length?i`<div class="doubt-tab">
    <${L} problem=${o} retry=${s} />
    <p class="lead"><${k} name="in_doubt" /><span><strong>Actions with an unknown outcome. Do not repeat them.</strong> Check the real system, then record the outcome and your evidence.</span></p>
    ${r.map(a=>i`<${t$} key=${a.action_id} item=${a} onAction=${t} />`)}
  </div>`:i`<${F} icon="completed" title="Nothing is in doubt.">Every action has a known outcome or is still in progress.</${F}>`:o?i`<${L} problem=${o} retry=${s} />`:i`<${H} />`}function t$({item:e,onAction:t}){return i`<${R} class="doubt-item" title=${i`<${m} text=${e.summary||e.tool||e.action_id} />`} actions=${i`<${K} state="in_doubt" />`}>
    <p class="soft">Since <${N} at=${e.since} />: ${e.why}. ${e.kind==="undo"?"It is an undo. ":""}${e.tool&&i`<code><${m} text=${e.tool} /></code> `}<button type="button" class="row-button mono" onClick=${()=>t(e.action_id)}>${e.action_id}</button></p>
    ${e.arguments&&i`<${ae} value=${e.arguments} label="arguments" />`}
    <h3>How to check</h3>
    ${typeof e.probe=="string"?i`<p><${m} text=${e.probe} /></p>`:e.probe?.tool||e.probe?.words?i`${e.probe.words&&i`<p><${m} text=${e.probe.words} /></p>`}${e.probe.tool&&i`<p><code><${m} text=${e.probe.tool} /></code></p><${ae} value=${e.probe.arguments||{}} label="arguments of the probe" />`}`:i`<p>No probe is recorded. Look for traces of <code><${m} text=${e.tool||"the action"} /></code> in the real system.</p>`}
    <h3>What came of it</h3>
    <${Bn} action=${e.action_id} doubtful=${!e.gone} />
  </${R}>`}G();v();oe();z();Fn();var o$=[["html","HTML file","one file that opens without a server"],["jsonl","JSONL","one entry per line, for programs"],["csv","CSV","one entry per row, for a spreadsheet"],["markdown","Copy for a model","Markdown on the clipboard, values fenced as data"]];function pl({execution:e,end:t=!1}){let[n,o]=h(""),s=async r=>{o(r);try{let a=await T(`/v1/executions/${encodeURIComponent(e)}/report`,{form:r},{accept:"application/json"});r!=="markdown"?Ye(a.name,a.text,a.media_type):await Jt(a.text)?$e("Copied as Markdown.","ok"):Ye(a.name,a.text,a.media_type)}catch(a){$e(`The export failed: ${a.message}`,"failed")}o("")};return i`<${st} label="Export this execution" icon="export" word="Export" end=${t}>
    <div class="menu-list export-list">
      ${o$.map(([r,a,l])=>i`<button key=${r} type="button" class="menu-item export-item" data-close disabled=${!!n} onClick=${()=>s(r)}>
        <${k} name=${r==="markdown"?"copy":"export"} /><span><strong>${a}</strong><span class="soft">${l}</span></span>
      </button>`)}
    </div>
  <//>`}v();oe();U();z();G();v();oe();te();U();z();function fl({row:e,query:t}){let n=t.get("only")||"",o=(e.total_steps||0)-(e.done_steps||0)-(e.skipped_steps||0),s=l=>x(`/x/${e.id}`,l),r=e.actions||{},a=[e.total_steps?["steps done",i`${e.done_steps||0}<small> of ${e.total_steps}</small>`,"ok",s({view:"plan"})]:["done",r.ok||0,"ok",s({only:"done"}),n==="done"],["failed",e.failed||0,"failed",s({only:"failed"}),n==="failed"],["in doubt",e.in_doubt||0,"doubt",s({tab:"doubt"})],["owed",e.owed||0,"undo",s({tab:"undo"})],["unplanned",e.unplanned||0,"idle",s({only:"unplanned"}),n==="unplanned"],["waiting",e.waiting||0,"waiting",x("/approvals",{execution:e.id})]];return e.total_steps&&a.splice(1,0,["steps left",o,"plain",s({view:"plan"})]),i`<ul class="tiles" aria-label="Figures">
    ${a.map(([l,c,d,u,p])=>i`<li key=${l}><a href=${u} aria-current=${p?"true":null} class=${ee("tile",`tone-${d}`,typeof c=="number"&&c>0&&d!=="plain"&&"tile-set")}><strong>${c}</strong><span>${l}</span></a></li>`)}
  </ul>`}function $l({row:e}){let t=e.failed>0&&e.status!=="completed",{data:n}=D({by:[e.id,t],execution:e.id,kinds:["action_ended","decision_recorded"]},s=>t?T(`/v1/executions/${encodeURIComponent(e.id)}/work`,{only:"failed",newest_first:!0,limit:1},{signal:s}):Promise.resolve({rows:[]})),o=t&&n?.rows[0];return o?i`<div class="x-failure"><${k} name="failed" /><p><button type="button" class="row-button" onClick=${()=>X({action:o.id,step:"",entry:""})}><${m} text=${o.summary||o.tool||o.id} /></button> failed${o.error?i`: <${m} text=${o.error.replace(/^failed: /,"")} />`:"."}</p></div>`:null}function ml({status:e,query:t,header_actions:n}){let o=e.execution;return i`<header class="x-head">
    <nav class="crumbs" aria-label="Breadcrumb"><a href=${x("/executions")}><${k} name="left" size=${12} />All executions</a></nav>
    <div class="x-title">
      <h1><${m} text=${o.title||o.id} /></h1>
      <${K} state=${At(o)} />
      <div class="x-actions">
        ${n&&i`<${n} status=${e} />`}
        <${Fe} href=${x(`/replay/${o.id}`)} icon="replay">Replay</${Fe}>
        <${Fe} href=${x("/compare",{a:o.id})} icon="compare">Compare</${Fe}>
        <${pl} execution=${o.id} end />
      </div>
    </div>
    <dl class="x-facts">
      <div><dt>execution</dt><dd><${Ue} id=${o.id} /></dd></div>
      ${o.plan_id&&i`<div><dt>plan</dt><dd><a href=${x(`/plans/${o.plan_id}`)}><code>${o.plan_id}</code></a> <span class="faint">revision ${o.revision}</span></dd></div>`}
      <div><dt>by</dt><dd><${m} text=${o.actor||"–"} />${o.client&&i` <span class="faint"><${m} text=${o.client} /></span>`}</dd></div>
      ${o.task_id&&i`<div><dt>task</dt><dd><a href=${x("/executions",{q:`task:${o.task_id}`})}><${m} text=${o.task_id} /></a></dd></div>`}
      <div class="x-more"><dt>started</dt><dd><${N} at=${o.started} /></dd></div>
      <div><dt>${o.ended||o.interrupted?"took":"for"}</dt><dd><${$t} from=${o.started} to=${o.ended||o.interrupted} /></dd></div>
      ${o.interrupted&&i`<div><dt>interrupted</dt><dd><${N} at=${o.interrupted} /> <span class="faint">while ${o.status}, last worked on by <${m} text=${o.interrupted_by||o.last_session} /></span></dd></div>`}
      ${!o.ended&&i`<div><dt>last entry</dt><dd><${N} at=${o.last} /></dd></div>`}
      <div class="x-more"><dt>record</dt><dd><${s$} coverage=${e.coverage} id=${o.id} /></dd></div>
      ${o.total_steps?i`<div><dt>steps</dt><dd><${It} row=${o} steps=${e.steps.filter(s=>!s.dropped).map(s=>s.actual)} /> <span class="num">${rt(o)}</span></dd></div>`:null}
    </dl>
    <${$l} row=${o} />
    <${r$} status=${e} />
    <${il} execution=${o} />
    <${fl} row=${o} query=${t} />
  </header>`}function s$({coverage:e,id:t}){if(!e)return"–";let n=e.observers?.length,o=e.observers?.some(s=>s.silent);return i`<a href=${x(`/x/${t}`,{tab:"coverage"})}>${e.ended||0} of ${e.begun||0} actions finished.</a>
    <span class="faint"> ${o?"Hooks are silent.":n?"Observed.":"Not observed by hooks."}</span>`}function r$({status:e}){let t=e.last_decision,n=[...(e.advice||[]).map(o=>i`<span class="advice"><${k} name="warning" /><span><code><${m} text=${o.step} /></code> failed: <${m} text=${o.text} /></span></span>`),t?.decision&&i`<span class="advice"><${k} name="claimed" /><span>last decision <strong>${t.decision}</strong>${t.why&&i`: <${m} text=${t.why} />`}</span></span>`].filter(Boolean);return n.length?i`<div class="notices">${n}</div>`:null}v();U();He();We();v();oe();z();var i$={failed:"undo failed",in_doubt:"undo in doubt"},Hn=e=>e.kind==="group"?e.tool||e.actor||e.summary||e.id:e.summary||e.tool||e.id,Dt=e=>e.kind==="step"?e.action_id||"":e.kind==="group"?"":e.id,mr=e=>e.depth===0&&(e.kind==="group"||e.kind==="step"&&((e.attempts||0)>1||!!e.undone_by)),hl=({shown:e,count:t})=>t?`${e} of ${t} shown`:`the first ${e} shown`;function a$(e){let t=Object.entries(e.states||{}).filter(([o])=>o!=="ok"),n=e.attempts||0;return[e.kind==="group"&&`${e.count} calls`,e.shown&&hl(e),...t.map(([o,s])=>`${s} ${Ct(o).word}`),e.kind==="step"&&n>1&&`${n} attempts`,e.kind==="action"&&n>1&&`attempt ${n}`,e.unplanned&&"unplanned",e.dropped&&"dropped from the plan",e.late&&"recorded after the end",e.temporary&&"temporary",e.decided&&`decided: ${e.decided}`,e.kind==="step"&&e.cancellable==="irreversible"&&"irreversible",e.permission,e.silent,e.unserved].filter(Boolean)}function hr(e){let t=e.ended||e.lost;return["planned","skipped"].includes(e.state)?e.estimate?`about ${ue(e.estimate*1e3,1)}`:"":e.ended&&e.lost?"":e.begun&&t?ue(Date.parse(t)-Date.parse(e.begun)):!e.begun&&e.estimate?`about ${ue(e.estimate*1e3,1)}`:e.begun&&["open","running"].includes(e.state)?"under way":""}function gl({row:e,index:t,height:n,place:o,on:s,focusable:r,unfolded:a,loading:l,row_actions:c,onSelect:d,onToggle:u}){if(e.kind==="rest")return i`<${l$} row=${e} index=${t} height=${n} focusable=${r} onSelect=${d} />`;let{tone:p,icon:$,word:f}=Ct(e.state),g=a$(e),b=e.kind==="group"&&!e.tool?"":e.actor;return i`<div class=${ee("work-row",`tone-${p}`,s&&"work-on",e.depth>0&&"work-inside",e.unplanned&&"work-unplanned",!e.begun&&"work-ahead")} role="row" aria-rowindex=${t+2} style=${{height:`${n}px`}} data-row=${e.key}>
    <div role="cell" class="work-what">
      ${mr(e)?i`<button type="button" class="work-fold" aria-expanded=${String(a)} aria-label=${`${a?"Fold":"Unfold"} ${_e(Hn(e))}`} tabindex=${r?0:-1} onClick=${()=>u(e)}><${k} name=${a?"down":"right"} size=${12} /></button>`:i`<span class="work-fold" />`}
      <span class="work-icon"><${k} name=${e.action_kind==="undo"&&e.state==="ok"?"unwinding":$} /></span>
      <div class="work-text">
        <p class="work-title"><button type="button" class="row-button cut" data-focus tabindex=${r?0:-1} aria-pressed=${String(s)} onClick=${()=>d(e)}>${e.action_kind==="undo"?"undo: ":""}<${m} text=${Hn(e)} /></button>${g.length>0&&i`<span class="work-notes">${g.join(" · ")}</span>`}</p>
        <p class="work-more cut">${e.error?i`<span class="work-error"><${m} text=${e.error} /></span>`:i`${e.tool&&e.tool!==Hn(e)&&i`<code><${m} text=${e.tool} /></code>`}${b&&i`<span><${m} text=${b} /></span>`}${l&&i`<span>loading…</span>`}`}</p>
      </div>
    </div>
    <div role="cell" class="work-state"><span>${f}</span>${e.undo_state&&!["not_undone",e.state].includes(e.undo_state)&&i`<${K} state=${e.undo_state} quiet word=${i$[e.undo_state]||""} />`}</div>
    <div role="cell" class="work-actions">${c&&i`<${c} row=${e} />`}</div>
    <div role="cell" class="work-took num">${hr(e)}</div>
    <div role="cell" class="work-chart">${o&&i`<${c$} row=${e} place=${o} />`}</div>
  </div>`}function l$({row:e,index:t,height:n,focusable:o,onSelect:s}){return i`<div class="work-row work-inside tone-plain" role="row" aria-rowindex=${t+2} style=${{height:`${n}px`}} data-row=${e.key}>
    <div role="cell" class="work-what"><span class="work-fold" /><span class="work-icon"><${k} name="down" /></span>
      <div class="work-text"><p class="work-title"><button type="button" class="row-button" data-focus tabindex=${o?0:-1} onClick=${()=>s(e)}>Show more</button><span class="work-notes">${hl(e)}</span></p></div></div>
    <div role="cell" class="work-state" /><div role="cell" class="work-actions" /><div role="cell" class="work-took" /><div role="cell" class="work-chart" />
  </div>`}function c$({row:e,place:t}){let n=ee("work-bar",`bar-${e.state}`,e.action_kind==="undo"&&"bar-undo",e.kind==="group"&&"bar-group",t.open&&"bar-open");return i`<span class=${n} aria-hidden="true" style=${{left:`${t.left*100}%`,width:`${t.width*100}%`}} />`}var d$=["not_undone","partly","failed","may_be_undo"],Oo=(e,t)=>({row:n})=>n.kind==="group"?null:n.state==="in_doubt"?i`<${Io} row=${n} word="Settle" to=${{action:Dt(n)}} />`:n.undo_state==="in_doubt"?i`<${Io} row=${n} word="Settle the undo" to=${{tab:"doubt"}} />`:e&&d$.includes(n.undo_state||"")?i`<${Io} row=${n} word="Undo or keep" to=${{tab:"undo"}} />`:t&&n.kind==="step"&&n.state==="failed"?i`<${Io} row=${n} word="Retry" to=${{step:n.id}} />`:null,u$=[Oo(!1,!1),Oo(!1,!0),Oo(!0,!1),Oo(!0,!0)],bl=({status:e,owed:t})=>u$[(t?2:0)+Number(qn(e))];function Io({row:e,word:t,to:n}){let o=()=>X({action:"",step:"",entry:"",...n});return i`<${w} aria-label=${`${t}: ${_e(Hn(e))}`} onClick=${o}>${t}<//>`}G();v();te();z();v();oe();z();var p$={known:"",unknown:"No undo is recorded. Check what it did, and decide.",erased:"The text of the undo was erased.",altered:"The stored text of the undo was altered and is not shown.",irreversible:"It is recorded as irreversible."};function yl({items:e,lead:t,more:n=!1,rest:o,empty:s,onAction:r,actsOf:a}){return i`<div class="owed-tab">
    <p class="lead"><${k} name="owed" /><span><strong>${t}</strong>${e.length>0&&i` Undo from top to bottom. This page undoes nothing: you, an agent or a runner undoes an action, and records that with <code>kind=undo</code>.`}</span></p>
    ${e.length?i`<ol class="owed-list">${e.map(l=>i`<${f$} key=${l.action_id} item=${l} onAction=${r} acts=${a?.(l)} />`)}</ol>
          ${n&&i`<p class="soft">These are the first ${e.length}. The rest: <code>${o}</code></p>`}`:i`<${F} icon="completed" title=${s}>Every action is undone or kept.</${F}>`}
  </div>`}function f$({item:e,onAction:t,acts:n}){let o=p$[e.way]??e.way;return i`<li class="owed-item">
    <div class="owed-what">
      <p><button type="button" class="row-button" onClick=${()=>t(e.action_id)}><${m} text=${e.summary||e.tool||e.action_id} /></button>
        <span class="faint"> ${e.tool&&i`<code><${m} text=${e.tool} /></code> `}${e.step&&i`step <code><${m} text=${e.step} /></code>`}</span></p>
      <p class="detail-tags"><${K} state=${e.state} word=${e.state==="failed"?"undo failed":""} />${e.temporary&&i`<span class="maybe"><${k} name="late" size=${14} />temporary</span>`}${e.certain===!1&&i`<span class="maybe"><${k} name="in_doubt" size=${14} />may have happened</span>`}<${$$} at=${e.deadline} /></p>
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
  </li>`}function $$({at:e}){let t=Date.parse(e)-we();return e?t<0?i`<span class="warn">undo was possible until <${N} at=${e} /></span>`:i`<span class="faint" title=${e}>can be undone for ${ue(t)} more</span>`:null}var m$=100,xl=e=>Date.parse(e.deadline)>Date.now();function h$(e){if(e.owed==="nothing")return`Nothing of this is owed.${e.items.some(xl)?" Some of it can be undone only for a while: undo or keep it in time.":""}`;let t=`${e.more_due?"More than ":""}${e.due} of this ${e.due===1?"is":"are"}`;return`${e.owed==="all"?"All of this is":t} owed: somebody still has to undo it.`}function _l({execution:e,onAction:t}){let{data:n,problem:o,reload:s}=D({by:[e],execution:e},a=>T(`/v1/executions/${encodeURIComponent(e)}/undo-list`,{limit:m$},{signal:a})),r=Dn(n?.items??[]);return n?i`<${L} problem=${o} retry=${s} />
    <${yl} items=${r} lead=${h$(n)} more=${!!n.next_cursor} rest=${`tallystick undo-list ${e}`} empty="The undo list is empty." onAction=${t}
    actsOf=${a=>i`<${rl} item=${a} offered=${n.owed!=="nothing"||xl(a)} onDone=${s} />`} />`:o?i`<${L} problem=${o} retry=${s} />`:i`<${H} />`}G();v();Ae();te();U();z();v();gr();z();v();var g$=5,kl=.01;function Sl(e){let[t,n]=h(null),o={from:-kl*e,to:(1+kl)*e},s=t||o,r=ye(c=>{let d=Math.max(g$,c.to-c.from);if(d>=o.to-o.from)return n(null);let u=Math.min(Math.max(c.from,o.from),o.to-d);return n({from:u,to:u+d})},[e]);return{view:s,zoomed:t!==null,zoom:(c,d=.5)=>{let u=(s.to-s.from)*c,p=s.from+d*(s.to-s.from);r({from:p-d*u,to:p+(1-d)*u})},pan:c=>{let d=c*(s.to-s.from);r({from:s.from+d,to:s.to+d})},show:r,fit:()=>n(null)}}function Un(){let e=A(null),[t,n]=h(0);return ke(()=>{let o=e.current,s=()=>n(Math.floor(o.getBoundingClientRect().width)),r=new ResizeObserver(s);return r.observe(o),s(),()=>r.disconnect()},[]),[e,t]}function El(e,t){let n=A(t);n.current=t,_(()=>{let o=e.current,s=new Map,r=u=>{let{left:p,width:$}=o.getBoundingClientRect();return(u-p)/$},a=u=>{let p=Math.abs(u.deltaX)>Math.abs(u.deltaY)?u.deltaX:u.shiftKey?u.deltaY:0;if(u.ctrlKey||u.metaKey)n.current.zoom(Math.exp(u.deltaY/300),r(u.clientX));else if(p)n.current.pan(p/800);else return;u.preventDefault()},l=u=>{u.button===0&&s.set(u.pointerId,u.clientX)},c=u=>{let p=s.get(u.pointerId);if(p===void 0)return;let $=[...s].filter(([f])=>f!==u.pointerId).map(([,f])=>f);if($.length){let f=Math.abs(p-$[0])/Math.max(8,Math.abs(u.clientX-$[0]));n.current.zoom(Math.min(2,Math.max(.5,f)),r((u.clientX+$[0])/2))}else if(Math.abs(u.clientX-p)>2)o.setPointerCapture(u.pointerId),n.current.pan((p-u.clientX)/o.getBoundingClientRect().width);else return;s.set(u.pointerId,u.clientX)},d=u=>{s.delete(u.pointerId)};o.addEventListener("wheel",a,{passive:!1}),o.addEventListener("pointerdown",l),o.addEventListener("pointermove",c);for(let u of["pointerup","pointercancel"])o.addEventListener(u,d);return()=>{o.removeEventListener("wheel",a),o.removeEventListener("pointerdown",l),o.removeEventListener("pointermove",c);for(let u of["pointerup","pointercancel"])o.removeEventListener(u,d)}},[])}var bt=216,Pt=46,Tl=27,Ml=400,Al=.7;function Ol({work:e,selected:t,onStep:n}){let[o,s]=Un(),[r,a]=h(0),l=e.rows.filter(M=>M.kind==="step"&&M.depth===0),c=e.complete||e.rows.length>l.length,d=l.length>Ml;_(()=>{!c&&!d&&!e.problem&&e.more()});let u=d||!c?"":l.map(M=>`${M.id} ${(M.after||[]).join()}`).join("|"),p=No(wl),$=le(()=>p&&u&&s?y$(p,l,s):null,[p,u,s]),f=$?Math.min(1,Math.max(Al,s/$.width)):1,g=r||f,b=le(()=>x$(l),[u,e.rows]),C=new Map(l.map(M=>[M.id,M]));return i`<div class="graph-view" ref=${o}>
    ${d?i`<${F} icon="graph" title=${`The plan has more than ${Ml} steps.`}>They are listed under Plan.</${F}>`:$?i`
    <div class="graph-tools"><span class="soft">${b.size>1?i`<span class="critical-key" aria-hidden="true" /> critical path`:null}</span>
      <span class="work-zoom"><${w} kind="ghost" icon="zoomout" label="Zoom out" onClick=${()=>a(Math.max(.25,g/1.3))} /><${w} kind="ghost" icon="zoomin" label="Zoom in" onClick=${()=>a(Math.min(2.5,g*1.3))} /><${w} kind="ghost" icon="fit" label="Fit" onClick=${()=>a(0)} disabled=${!r} /></span></div>
    <div class="graph" tabindex="0" role="region" aria-label="Graph of the plan">
      <svg width=${Math.ceil($.width*g)} height=${Math.ceil($.height*g)} viewBox=${`0 0 ${$.width} ${$.height}`} role="group" aria-label="Steps and what each comes after">
        <defs>
          <marker id="arrow" viewBox="0 0 8 8" refX="7" refY="4" markerUnits="userSpaceOnUse" markerWidth="9" markerHeight="9" orient="auto"><path class="edge-tip" d="M0 0L8 4 0 8z" /></marker>
        </defs>
        ${$.edges.map(M=>i`<path class=${ee("edge",b.has(M.from)&&b.get(M.from)===M.to&&"edge-critical")} d=${M.path} marker-end="url(#arrow)" />`)}
        ${$.nodes.map(({id:M,x:y,y:S})=>C.has(M)&&i`<${b$} key=${M} step=${C.get(M)} x=${y} y=${S} on=${t===M} critical=${b.has(M)} onStep=${n} />`)}
      </svg>
    </div>`:!c||u?i`<${H} what="Loading the steps" />`:i`<${F} icon="graph" title="Ad hoc: there is no plan to draw." />`}
  </div>`}function b$({step:e,x:t,y:n,on:o,critical:s,onStep:r}){let{tone:a,word:l}=Ct(e.state),c=_e(e.summary||e.id),d=c.length>Tl?`${c.slice(0,Tl-1).trimEnd()}…`:c,u=e.attempts||0,p=[l,hr(e),u>1&&`${u} attempts`,e.cancellable==="irreversible"&&"irreversible"].filter(Boolean).join(", "),$=()=>r(e.id);return i`<g class=${ee("node",`tone-${a}`,e.state==="in_doubt"&&"node-doubt",e.state==="planned"&&"node-planned",o&&"node-on",s&&"node-critical")} role="button" tabindex="0" aria-label=${`${d} ${p}${s?", on the critical path":""}`} aria-pressed=${String(o)} onClick=${$} onKeyDown=${f=>(f.key==="Enter"||f.key===" ")&&(f.preventDefault(),$())}>
    <title>${c}</title>
    <rect x=${t-bt/2} y=${n-Pt/2} width=${bt} height=${Pt} rx="3" />
    <rect class="node-edge" x=${t-bt/2} y=${n-Pt/2} width="4" height=${Pt} rx="1" />
    <text class="node-title" x=${t-bt/2+14} y=${n-3}>${d}${" "}</text>
    <text class="node-state" x=${t-bt/2+14} y=${n+13}>${p}</text>
  </g>`}function y$(e,t,n){let o=Cl(e,t,!0);return n/o.width>=Al?o:Cl(e,t,!1)}function Cl({Graph:e,layout:t},n,o){let s=new e;s.setGraph({rankdir:o?"LR":"TB",nodesep:18,ranksep:o?44:28,marginx:16,marginy:16}),s.setDefaultEdgeLabel(()=>({}));for(let l of n)s.setNode(l.id,{width:bt,height:Pt});for(let[l,c]of Il(n))s.hasNode(l)&&s.setEdge(l,c);t(s);let{width:r=0,height:a=0}=s.graph();return{width:Math.ceil(r),height:Math.ceil(a),nodes:s.nodes().map(l=>({id:l,...s.node(l)})),edges:s.edges().map(l=>({from:l.v,to:l.w,path:w$(s.node(l.v),s.node(l.w),s.edge(l).points.slice(1,-1),o)}))}}function Il(e){return e.some(t=>t.after?.length)?e.flatMap(t=>(t.after||[]).map(n=>[n,t.id])):e.slice(1).map((t,n)=>[e[n].id,t.id])}function x$(e){let t=new Map;for(let[d,u]of Il(e))t.set(u,[...t.get(u)||[],d]);let n=new Map(e.map(d=>[d.id,d])),o=new Map,s=new Set,r=d=>{if(o.has(d)||s.has(d))return;s.add(d);let u=(t.get(d)||[]).filter($=>n.has($));u.forEach(r);let p=u.reduce(($,f)=>(o.get(f)?.length??0)>(o.get($)?.length??-1)?f:$,"");o.set(d,{length:_$(n.get(d))+(o.get(p)?.length??0),from:p})};e.forEach(d=>r(d.id));let[a,l]=[...o].reduce((d,u)=>u[1].length>d[1].length?u:d,["",{length:0,from:""}]),c=new Map;for(let d=a,u="",p=l.from;d;[u,d,p]=[d,p,o.get(p)?.from??""])c.set(d,u);return c}function _$(e){return e.begun&&e.ended?Math.max(0,Date.parse(e.ended)-Date.parse(e.begun))/1e3:Number(e.estimate)||0}function w$(e,t,n,o){let[s,r]=o?[bt/2,0]:[0,Pt/2],a={x:e.x+s,y:e.y+r},l={x:t.x-s,y:t.y-r},c=o?l.x-a.x>bt:l.y-a.y>Pt,d=[a,...c?n:[],l];return d.slice(1).reduce((u,p,$)=>{let f=d[$],[g,b]=o?[(p.x-f.x)/2,0]:[0,(p.y-f.y)/2];return`${u}C${f.x+g} ${f.y+b} ${p.x-g} ${p.y-b} ${p.x} ${p.y}`},`M${a.x} ${a.y}`)}v();var v$=200,Nl=1e3,Ll=500;function Rl({order:e,only:t}){return t?{only:t}:e==="newest"?{newest_first:!0}:{order:e}}function jl({read:e,wanted:t,by:n,version:o}){let[,s]=Ht(y=>y+1,0),r=A(Dl()).current,a=A({read:e,wanted:t});a.current={read:e,wanted:t};let l=async y=>{let{turn:S}=r;try{await y(S),S===r.turn&&(r.problem=null)}catch(O){S===r.turn&&(r.problem=O)}S===r.turn&&s(0)},c=async(y,S)=>{let O=S?r.pages[S-1].next:"",V=S?Nl:v$,j=await a.current.read({...Rl(a.current.wanted),limit:V,cursor:O});if(y!==r.turn)return;let I=r.pages[S];r.pages[S]={cursor:O,next:j.next_cursor||"",rows:j.rows,stale:!1},I&&I.next!==r.pages[S].next&&(r.pages.length=S+1),r.version+=1,r.complete=!r.pages[r.pages.length-1].next},d=async(y,S,O=!1)=>{let V=r.open.get(S.key),{rows:j,next:I}=O&&V?V:{rows:[],next:S.inside||""},P=O?j.length+Ll:Math.max(Ll,V?.rows.length||0),q=S.kind==="group"?Math.min(S.count||1,P):P,W=S.kind==="group"?Rl(a.current.wanted):{step:S.id};do{let J=await a.current.read({...W,cursor:I,limit:Math.min(q-j.length,Nl),unfolded:!0});j=[...j,...J.rows],I=J.next_cursor||""}while(I&&j.length<q);y===r.turn&&r.open.has(S.key)&&r.open.set(S.key,{rows:j,next:I}),r.version+=1},u=ye(()=>{r.loading||r.complete||!r.pages.length||(r.loading=!0,l(y=>c(y,r.pages.length)).finally(()=>{r.loading=!1,s(0)}))},[]),p=ye(()=>{if(r.loading)return void(r.due=!0);r.loading=!0;let[y,S]=r.view;l(async O=>{let V=r.pages.map((j,I)=>I).filter(j=>j===0||j>=y&&j<=S||j===r.pages.length-1);for(let j of r.pages)j.stale=!0;for(let j of V)(r.pages[j]||!j)&&await c(O,j);r.pages.length||await c(O,0);for(let j of Pl(r).rows.filter(({depth:I,key:P})=>!I&&r.open.has(P)))await d(O,j)}).finally(()=>{r.loading=!1,r.due&&(r.due=!1,p()),s(0)})},[]),$=ye((y,S)=>{r.view=[y,S],!r.loading&&r.pages.slice(y,S+1).some(O=>O.stale)&&p()},[]),f=ye(y=>{r.open.delete(y.key)||(r.open.set(y.key,null),l(S=>d(S,y))),r.version+=1,s(0)},[]),g=ye(y=>{l(S=>d(S,y,!0))},[]);_(()=>(Object.assign(r,Dl()),s(0),p(),()=>{r.turn={}}),[n,t.order,t.only]);let b=A(o);_(()=>{b.current!==o&&(b.current=o,p())},[o]);let{rows:C,pageOf:M}=le(()=>Pl(r),[r.version,r.turn]);return{rows:C,pageOf:M,complete:r.complete,started:r.pages.length>0,problem:r.problem,open:r.open,more:u,see:$,toggle:f,further:g,retry:p}}var Dl=()=>({turn:{},pages:[],open:new Map,view:[0,0],loading:!1,due:!1,complete:!1,version:0,problem:null});function Pl({pages:e,open:t}){let n=[];e.forEach((r,a)=>{for(let l of r.rows){let c={...l,key:`${l.kind} ${l.id}`,depth:0},d=n.at(-1);d&&S$(d.row,c)?d.row=E$(d.row,c):n.push({row:c,page:a})}});let o=[],s=[];for(let{row:r,page:a}of n)for(let l of k$(r,t.get(r.key)))o.push(l),s.push(a);return{rows:o,pageOf:s}}function k$(e,t){if(!t)return[e];let n=t.rows.length,o=e.kind==="group"?(e.count||0)>n:!!t.next,s=t.rows.map(r=>({...r,key:`${e.key} ${r.id}`,depth:1}));return o?[{...e,shown:n},...s,{kind:"rest",id:"",state:"",key:`${e.key} rest`,depth:1,count:e.count,shown:n,of:e}]:[e,...s]}function S$(e,t){return e.kind==="group"&&t.kind==="group"&&e.tool===t.tool&&e.step===t.step&&e.actor===t.actor&&!!(e.tool||e.actor_kind==="sub-agent")}function E$(e,t){let n={...e.states};for(let[s,r]of Object.entries(t.states||{}))n[s]=(n[s]||0)+r;let o=n.failed?"failed":e.state;return{...e,state:o,states:n,count:(e.count||0)+(t.count||0),ended:t.ended||e.ended,error:e.error||t.error}}v();Ve();z();var br=[1,2,5,10,20,50,100,200,500,1e3,2e3,5e3,1e4,15e3,3e4,6e4,12e4,3e5,6e5,9e5,18e5,36e5,72e5,144e5,216e5,432e5,864e5,1728e5,6048e5];function ql(e){let t=T$(e);if(!t.length)return[{from:0,to:1e3,at:0,size:1e3,gap:!1}];let n=t.reduce((d,u)=>d+u.to-u.from,0),o=Math.max(3e4,.06*n),s=Math.max(.03*n,2e3),r=[],a=0,l=(d,u,p)=>{let $=p?s:u-d;r.push({from:d,to:u,at:a,size:$,gap:p}),a+=$},c=t[0].from;return t.forEach((d,u)=>{let p=t[u+1];p&&p.from-d.to<=o||(l(c,Math.max(d.to,c+1),!1),p&&(l(d.to,p.from,!0),c=p.from))}),r}function T$(e){let t=[...e].sort((o,s)=>o.from-s.from),n=[];for(let o of t){let s=n[n.length-1];s&&o.from<=s.to?s.to=Math.max(s.to,o.to):n.push({...o})}return n}function Lo(e,t){let n=0,o=e.length-1;for(;n<o;){let a=n+o+1>>1;e[a].from<=t?n=a:o=a-1}let s=e[n],r=(t-s.from)/Math.max(1,s.to-s.from);return s.at+Math.max(0,Math.min(1,r))*s.size}var Bl=e=>e[e.length-1].at+e[e.length-1].size;function zl(e,t,n,o,s){let r=1/Math.max(1e-9,t(1)-t(0)),a=br.find(c=>c>=o*r)||br[br.length-1],l=[];for(let c of e){if(c.gap||c.at>n.to||c.at+c.size<n.from)continue;let d=Math.max(c.from,c.from+(n.from-c.at)),u=Math.min(c.to,c.from+(n.to-c.at));for(let p=Math.ceil((d+s)/a)*a-s;p<=u;p+=a)l.push({time:p,x:t(c.at+p-c.from)})}return{step:a,marks:l}}var Hl=44,M$=60,C$=620,Fl=5e3,A$=2e4,O$=20,I$=84;function Ul({work:e,execution:t,selected:n="",row_actions:o,onSelect:s,empty:r}){let{rows:a,complete:l,open:c}=e,[d,u]=Un(),p=u>0&&u<C$,$=(p?M$:Hl)+(me("density")==="comfortable"?8:0),{scale:f,edge:g}=N$(a,t,l),b=Sl(Bl(f)),{view:C}=b,[M,y]=h(0),S=A([0,0]),O=A(null),V=B=>(Lo(f,B)-C.from)/(C.to-C.from),j=B=>L$(B,V,g),I=ye((B,xe)=>{S.current=[B,xe],e.see(e.pageOf[B]??0,e.pageOf[Math.min(xe,e.pageOf.length)-1]??0)},[e.pageOf]);_(()=>{e.started&&!e.problem&&S.current[1]>=a.length-O$&&e.more()});let P=()=>{let B=a.slice(...S.current).filter(ve=>ve.begun);if(!B.length)return;let xe=Math.min(...B.map(ve=>Lo(f,Date.parse(ve.begun)))),Xe=Math.max(...B.map(ve=>Lo(f,yr(ve,g))));b.show({from:xe-(Xe-xe)*.02,to:Xe+(Xe-xe)*.02})},q=P$(d,a,y,e.toggle,{zoom:b,fitRows:P}),W=B=>B.of?e.further(B.of):B.kind==="group"?e.toggle(B):s(B),J=Math.min(M,a.length-1),re=a.findIndex(B=>n&&(Dt(B)===n||B.kind==="step"&&B.id===n));return _(()=>{re>=0&&y(re)},[re]),i`<div class=${ee("waterfall",p&&"waterfall-narrow",o&&"waterfall-acting")} ref=${d} data-testid="waterfall" onKeyDown=${q}>
    <${L} problem=${e.problem} retry=${e.retry} />
    ${e.started?!a.length&&l?r||i`<${F} icon="timeline" title="No actions yet.">Actions appear here as soon as they begin.</${F}>`:i`
      <${Lt}
        label="Steps and actions"
        outer="table"
        role="rowgroup"
        rows=${a}
        height=${$}
        selected=${re}
        onRange=${I}
        head=${i`<div class="work-head" role="rowgroup"><div class="work-row work-head-row" role="row">
          <span role="columnheader" class="work-what">what</span><span role="columnheader" class="work-state">state</span><span role="columnheader" class="work-actions"><span class="visually-hidden">what to do</span></span><span role="columnheader" class="work-took">took</span>
          <div role="columnheader" class="work-chart" ref=${O}><span class="visually-hidden">when</span><${R$} scale=${f} view=${C} share=${V} zoom=${b} /></div>
        </div></div>`}
        row=${(B,xe)=>i`<${gl} key=${B.key} row=${B} index=${xe} height=${$} place=${j(B)} on=${xe===re} focusable=${xe===J} unfolded=${c.has(B.key)} loading=${c.get(B.key)===null} row_actions=${o} onSelect=${W} onToggle=${e.toggle} />`}
      />
      <div class="work-foot">
        <span class="soft" role="status">${a.length}${l?"":"+"} row${a.length===1?"":"s"}</span>
        <span class="work-zoom">
          <${w} kind="ghost" icon="table" label="Zoom to the rows in view" onClick=${P} />
          <${w} kind="ghost" icon="zoomout" label="Zoom out" onClick=${()=>b.zoom(1.6)} disabled=${!b.zoomed} />
          <${w} kind="ghost" icon="zoomin" label="Zoom in" onClick=${()=>b.zoom(.6)} />
          <${w} kind="ghost" icon="fit" label="Show all" onClick=${b.fit} disabled=${!b.zoomed} />
        </span>
      </div>`:i`<${H} what="Loading" />`}
  </div>`}function N$(e,t,n){let o=we(),s=Date.parse(t.interrupted||t.last||t.started)||o,a=!t.ended&&!t.interrupted?Math.min(Math.max(s,Math.ceil(o/Fl)*Fl),s+A$):s;return{scale:le(()=>{let c=e.filter(p=>p.begun).map(p=>({from:Date.parse(p.begun),to:yr(p,a)})),d=Math.max(a,...c.map(p=>p.to).slice(-1)),u=n||!c.length?d:c[c.length-1].to;return ql([...c,{from:Math.min(u,d),to:d}])},[e,a,n]),edge:a}}function yr(e,t){let n=Date.parse(e.begun),o=e.lost||e.ended;return Math.max(n,o?Date.parse(o):t)}function L$(e,t,n){if(!e.begun)return null;let o=t(Date.parse(e.begun)),s=t(yr(e,n));if(s<0||o>1)return null;let r=Math.max(0,Math.min(o,1));return{left:r,width:Math.max(0,Math.min(s,1)-r),open:!e.ended&&!e.lost}}function R$({scale:e,view:t,share:n,zoom:o}){let[s,r]=Un();El(s,o);let l=me("zone")==="utc"?0:-new Date().getTimezoneOffset()*6e4,c=p=>(p-t.from)/(t.to-t.from)*r,{step:d,marks:u}=r?zl(e,c,t,I$,l):{step:0,marks:[]};return i`<div class="work-axis" ref=${s} aria-hidden="true" title="Drag to move, Ctrl and wheel to zoom">
    ${e.filter(p=>p.gap&&p.at+p.size>t.from&&p.at<t.to).map(p=>{let $=ue(p.to-p.from,1);return i`<span class="work-gap" title=${`${$} without entries`} style=${{left:`${c(p.at)}px`,width:`${c(p.at+p.size)-c(p.at)}px`}}><span>${$}</span></span>`})}
    ${u.map(({time:p,x:$})=>i`<span class="work-tick" style=${{left:`${Math.round($)}px`}}>${D$(p,d)}</span>`)}
  </div>`}function D$(e,t){let n={hour:"2-digit",minute:"2-digit"};return t<6e4&&(n.second="2-digit"),t<1e3&&(n.fractionalSecondDigits=3),t>=432e5&&Object.assign(n,{day:"numeric",month:"short"}),new Date(e).toLocaleTimeString("en-GB",{...n,timeZone:ko("zone")==="utc"?"UTC":void 0})}function P$(e,t,n,o,{zoom:s,fitRows:r}){let a=A("");return ke(()=>{if(!a.current)return;let l=e.current?.querySelector(`[data-row="${CSS.escape(a.current)}"] [data-focus]`);l&&(a.current="",l.focus({preventScroll:!0}),l.scrollIntoView({block:"nearest"}))}),l=>{let c=l.target;if(!c.matches("[data-focus], .work-fold, .virtual"))return;let d=t.findIndex(C=>C.key===c.closest("[data-row]")?.getAttribute("data-row")),u=C=>{let M=Math.min(Math.max(C,0),t.length-1),y=e.current.querySelector(".virtual"),S=y.querySelector("[data-row]")?.offsetHeight||Hl,O=y.clientHeight-S;M*S<y.scrollTop?y.scrollTop=M*S:M*S>y.scrollTop+O-S&&(y.scrollTop=M*S-O+S),a.current=t[M]?.key||"",n(M)},p=t[d],$=p&&mr(p),f=c.closest("[data-row]")?.querySelector("[aria-expanded]")?.getAttribute("aria-expanded")==="true",b={ArrowDown:()=>u(d+1),ArrowUp:()=>u(d-1),Home:()=>u(0),End:()=>u(t.length-1),"+":()=>s.zoom(.6),"-":()=>s.zoom(1.6),0:s.fit,z:r,...$&&!f&&{ArrowRight:()=>o(p)},...$&&f&&{ArrowLeft:()=>o(p)}}[l.key];!b||l.ctrlKey||l.metaKey||l.altKey||(b(),l.preventDefault(),l.stopPropagation())}}var j$=80,q$=["session_ended","body_erased"],B$={done:"done",failed:"failed",in_doubt:"in doubt",unplanned:"unplanned",open:"under way"};function Wl({status:e,query:t,chosen:n,select:o,row_actions:s}){let{execution:r}=e,a=!!r.plan_id,l=t.get("view")||(a?"plan":"time"),c=t.get("only")||"",d=ye(b=>T(`/v1/executions/${encodeURIComponent(r.id)}/work`,b),[r.id]),p=jl({read:d,wanted:{order:l==="graph"?"plan":l,only:c},by:r.id,version:z$(r.id)}),$=async()=>{let{rows:b}=await d({only:"failed",limit:1});b.length&&o({action:b[0].id})};fe("Work",{e:{label:"go to the first failure",run:()=>{$()}}});let f=[["plan","Plan"],["time","Time"],["newest","Newest first"],["graph","Graph"]],g=B$[c];return i`<section class="panel panel-flush work-panel" aria-label="Work">
    <div class="work-tools">
      <${ie} label="View" value=${c?"":l} choices=${a?f:f.slice(1,3)} onChange=${b=>X({view:b,only:""})} />
      ${r.failed>0&&i`<${w} icon="first" onClick=${$}>First failure</${w}>`}
      ${g&&i`<${w} icon="close" onClick=${()=>X({only:""})}>Only ${g}</${w}>`}
    </div>
    ${l==="graph"&&!c?i`<${Ol} work=${p} selected=${n.step} onStep=${b=>o({step:b})} />`:i`<${Ul}
          work=${p}
          execution=${r}
          selected=${n.action||n.step}
          row_actions=${s}
          onSelect=${b=>o(Dt(b)?{action:Dt(b)}:{step:b.id})}
          empty=${g&&i`<${F} title=${`No actions are ${g}.`} />`}
        />`}
  </section>`}function z$(e){let[t,n]=h(0),o=A(0);return Re(s=>{s&&s.execution_id!==e&&!q$.includes(s.kind)||(o.current||=setTimeout(()=>(o.current=0,n(r=>r+1)),j$))}),t}v();xr();v();oe();Ae();Ve();z();G();v();te();var Jl=100,Yl=1e3,Xl=6e4,K$=240,V$=40,G$=300;function Ql(e){let[t,n]=h({entries:[],complete:!1,problem:null}),[o,s]=h(0),r=A({entries:[],last:0,busy:!1,due:!1,stop:!1,timer:0}),a=async l=>{let c=r.current;if(c.busy){c.due=!0;return}c.busy=!0;let d=performance.now(),u=p=>{d=performance.now(),n({entries:c.entries,complete:p,problem:null})};try{let p=!0;do{c.due=!1;let $=await T("/v1/entries",{execution_id:e,after:c.last,limit:c.last?Yl:Jl});if(c.stop)return;$.entries.length&&(c.entries=c.entries.concat($.entries.map(J$))),c.last=$.entries.length?$.entries[$.entries.length-1].seq:c.last,!$.entries.length&&$.more&&(c.last=$.last_seq),p=$.more,(c.entries.length<=Jl||performance.now()-d>G$)&&u(!p)}while(p&&c.entries.length<l||c.due);u(!p)}catch(p){c.stop||n($=>({...$,problem:p}))}finally{c.busy=!1}};return _(()=>{r.current={entries:[],last:0,busy:!1,due:!1,stop:!1,timer:0};let l=r.current;return a(Xl),()=>{l.stop=!0,clearTimeout(l.timer)}},[e,o]),Re(l=>{if(l?.kind==="body_erased"&&s(d=>d+1),l&&l.execution_id!==e)return;let c=r.current;clearTimeout(c.timer),c.timer=setTimeout(()=>a(Xl),V$)}),{...t,more:()=>{!t.complete&&a(r.current.entries.length+Yl)}}}function J$(e){let{facts:t={},body:n}=e,o=n&&typeof n=="object"?n:{},s=t.channel==="client"?"in a client that could have answered by itself ":"",r=o.error||o.summary||o.title||o.why||o.question||o.reason||o.answer||t.key||t.event||t.reason||t.problem||"";return{seq:e.seq,kind:e.kind,at:e.at,id:e.id,actor:t.credential||e.actor,witness:e.witness,word:t.decision||t.verdict||t.status||t.event||"",tool:t.tool||"",text:`${s}${r}`.slice(0,K$),outcome:t.outcome||(e.kind==="action_doubted"?"in_doubt":""),undo:t.action_kind==="undo",behind:e.behind||0}}var Y$={ok:"ok",failed:"failed",skipped:"skipped",unknown:"in_doubt",in_doubt:"in_doubt"},X$=new Set(["failed","in_doubt"]),Ro=class e{constructor(t){this.paired=t,this.first=void 0,this.all=[],this.indexBySeq=new Map,this.taken=0,this.begun=new Map}take(t){for(t[0]!==this.first&&Object.assign(this,new e(this.paired),{first:t[0]});this.taken<t.length;this.taken++)this.add(t[this.taken]);return this.all}add(t){let o=this.paired&&(t.kind==="action_ended"||t.kind==="action_doubted")?this.begun.get(t.id):void 0;if(o!==void 0){this.all[o]={...this.all[o],end:t,state:Zl(t)},this.indexBySeq.set(t.seq,o);return}this.paired&&t.kind==="action_begun"&&this.begun.set(t.id,this.all.length),this.indexBySeq.set(t.seq,this.all.length),this.all.push({entry:t,end:null,state:Zl(t)})}};function Wn(e,t){return(e.end||e.entry.kind==="action_begun")&&t.get(e.entry.id)||e.state}function Zl(e){return Y$[e.outcome]||""}var ec=(e,t)=>X$.has(Wn(e,t))||e.entry.kind==="decision_recorded";function tc(e){let t=new Map;return e.forEach((n,o)=>{t.set(n.entry.seq,o),n.end&&t.set(n.end.seq,o)}),t}G();v();var Q$=/[\p{L}\p{N}]/u,Z$=5e3;function nc(e,t,n){let[o,s]=h({seqs:[],done:!0,more:!1,problem:null});return _(()=>{let r=new AbortController,a=async()=>{let l=[],c=0,d=!0;for(;d&&l.length<Z$;){let u=await T("/v1/entries",{execution_id:e,text:t,after:c,limit:1e3},{signal:r.signal});if(l=l.concat(u.entries.map(p=>p.seq)),u.last_seq<=c)break;c=u.last_seq,d=u.more}s({seqs:l,done:!0,more:d,problem:null})};return Q$.test(t)?(s(l=>({...l,done:!1})),a().catch(l=>l.name!=="AbortError"&&s({seqs:[],done:!0,more:!1,problem:l}))):s({seqs:[],done:!0,more:!1,problem:null}),()=>r.abort()},[e,t,n]),o}function oc(e,t){let n=t.split(/\s+/).map(s=>s.replace(/[^\p{L}\p{N}_-]/gu,"")).filter(s=>s.length>1);if(!n.length)return[{text:e,hit:!1}];let o=new RegExp(`(${n.join("|")})`,"giu");return e.split(o).filter(Boolean).map(s=>({text:s,hit:n.some(r=>r.toLowerCase()===s.toLowerCase())}))}var em={decision_recorded:"claimed",approval_requested:"blocked",approval_decided:"completed",context_recorded:"context",execution_started:"running",execution_ended:"completed",action_noted:"edit",session_noted:"agent",body_erased:"close",unreadable:"warning"};function sc({execution:e,selected:t,action:n,onEntry:o,onAction:s}){let{lines:r}=Vl(e),{entries:a,complete:l,problem:c,more:d}=Ql(e),[u,p]=h("compact"),[$,f]=h("all"),[g,b]=h(!1),[C,M]=h(""),y=nc(e,C,l?a.length:0),S=u==="compact",O=le(()=>new Map(S?r.map(Y=>[Y.id,Y.state]):[]),[r,S]),V=le(()=>new Ro(S),[a[0]?.seq,S]),j=le(()=>[...V.take(a)],[V,a]),I=le(()=>$==="all"?j:j.filter(Y=>ec(Y,O)),[j,$,O]),P=le(()=>$==="all"?V.indexBySeq:tc(I),[V,I,$]),[q,W]=h(0),J=P.get(q)??-1,re=A("");_(()=>{let Y=t||n?`${t} ${n}`:"";if(Y===re.current)return;let Pe=t?P.get(t):I.findIndex(ip=>ip.entry.id===n);Y&&(Pe===void 0||Pe<0)||(re.current=Y,Y&&W(I[Pe].entry.seq))},[t,n,I]);let B=Y=>Y.entry.id.startsWith("ac_")&&S?s(Y.entry.id):o(Y.entry.seq),xe=Y=>I[Y]&&(b(!1),W(I[Y].entry.seq)),Xe=le(()=>I.findIndex(Y=>Wn(Y,O)==="failed"),[I,O]),ve=le(()=>[...new Set(y.seqs.map(Y=>P.get(Y)))].filter(Y=>Y!==void 0),[y.seqs,I]),yt=le(()=>new Set(ve),[ve]),nt=ve.findIndex(Y=>Y===J),Q=Y=>ve.length&&xe(ve[nt<0?Y>0?Math.max(0,ve.findIndex(Pe=>Pe>J)):ve.length-1:(nt+Y+ve.length)%ve.length]);fe("Journal",{j:{label:"next entry",run:()=>xe(J+1)},k:{label:"previous entry",run:()=>xe(J-1)},Enter:{label:"open the entry",run:()=>I[J]&&B(I[J])},f:{label:"follow",run:()=>b(!g)},e:{label:"go to the first failure",run:()=>xe(Xe)},n:{label:"next match",run:()=>Q(1)},N:{label:"previous match",run:()=>Q(-1)}});let xt=A(Y=>{});xt.current=Y=>(W(Y.entry.seq),B(Y));let mn=me("density")==="comfortable"?40:30;return c&&!a.length?i`<${L} problem=${c} />`:a.length?i`<div class="journal">
    <div class="journal-tools">
      <${Ke} label="Search this journal" value=${C} onChange=${M} onEnter=${()=>Q(1)} placeholder="Search all entries">
        ${C&&i`<span class="journal-count" role="status">${y.done?`${nt>=0?`${nt+1} of `:""}${ve.length}${y.more?"+":""} in ${y.seqs.length}${y.more?"+":""} entries`:"…"}</span>
          <${w} kind="ghost" icon="up" label="Previous match" onClick=${()=>Q(-1)} /><${w} kind="ghost" icon="down" label="Next match" onClick=${()=>Q(1)} />`}
      </${Ke}>
      <${ie} label="Entries" value=${u} choices=${[["compact","Compact"],["full","Full"]]} onChange=${p} />
      <${ie} label="Which" value=${$} choices=${[["all","All"],["problems","Problems and decisions"]]} onChange=${f} />
      <span class="journal-end">
        <${w} icon="first" disabled=${Xe<0} onClick=${()=>xe(Xe)}>First failure</${w}>
        <${w} icon="follow" pressed=${g} onClick=${()=>b(!g)}>Follow</${w}>
        <span class="soft num">${I.length} rows, ${a.length}${l?"":"…"} entries</span>
      </span>
    </div>
    <${L} problem=${c||y.problem} />
    <div class="journal-list panel">
      <${Lt}
        label="Journal"
        rows=${I}
        height=${mn}
        selected=${J}
        atEnd=${g}
        onEnd=${Y=>g&&!Y&&b(!1)}
        onNear=${d}
        looks=${(Y,Pe)=>[Pe,mn,Pe===J,yt.has(Pe),Wn(Y,O),C].join(" ")}
        row=${(Y,Pe)=>i`<${tm} key=${Y.entry.seq} row=${Y} state=${Wn(Y,O)} height=${mn} on=${Pe===J} hit=${yt.has(Pe)} search=${C} onOpen=${()=>xt.current(Y)} />`}
      />
    </div>
  </div>`:l?i`<${F} title="No entries." />`:i`<${H} what="Loading the journal" />`}function tm({row:e,state:t,height:n,on:o,hit:s,search:r,onOpen:a}){let{entry:l,end:c}=e,d=c?.text&&t==="failed"?`${l.text?`${l.text}: `:""}${c.text}`:l.text||c?.text||(l.tool?"":l.id),u=em[l.kind],p=l.behind||c?.behind;return i`<div class=${ee("line",o&&"line-on",s&&"line-hit",t&&`line-${t}`)} role="listitem" style=${{height:`${n}px`}}>
    <span class="num faint">${l.seq}${c?i`<span class="line-pair">–${c.seq}</span>`:null}</span>
    <${N} at=${l.at} form="absolute" />
    <span class="line-state">${t?i`<${K} state=${t} quiet />`:i`<span class="line-kind">${u&&i`<${k} name=${u} />`}${l.word||zn(l.kind)}</span>`}</span>
    <button type="button" class="line-what cut" aria-pressed=${String(o)} onClick=${a}>
      ${p?i`<span class="soft">(clock ${ue(p*1e3)} behind) </span>`:null}${l.undo&&i`<strong>undo </strong>`}${l.tool?i`<code><${m} text=${l.tool} /></code> `:t||!l.word?null:i`<span class="soft">${zn(l.kind)} </span>`}
      ${r?oc(d,r).map($=>$.hit?i`<mark><${m} text=${$.text} /></mark>`:i`<${m} text=${$.text} />`):i`<${m} text=${d} />`}
    </button>
    <span class="line-who cut"><${m} text=${l.actor} /></span>
    <span class="line-witness"><${Qe} witness=${l.witness} /></span>
    <span class="num line-took">${c&&t!=="in_doubt"?ue(Date.parse(c.at)-Date.parse(l.at)):""}</span>
  </div>`}Ae();te();U();var nm=8,rc=()=>`tallystick.recent.${Z()}`;function _r(){try{let e=JSON.parse(localStorage.getItem(rc())||"[]");return Array.isArray(e)?e.filter(t=>typeof t?.path=="string"&&t.path.startsWith("/")&&!t.path.startsWith("//")&&typeof t.title=="string"):[]}catch{return[]}}function ic(e){let t=location.pathname,n=_r().filter(o=>o.path!==t);localStorage.setItem(rc(),JSON.stringify([{path:t,title:e},...n].slice(0,nm)))}var wr=99,vr="Tallystick",jt=0;function Do(e,t=!1){t&&ic(e),vr=e==="Tallystick"?e:`${e} · Tallystick`,lc()}function ac(e){if(e===jt)return;jt=e,lc();let t=document.querySelector("link[rel=icon]");t&&(t.href=jt?`/favicon.ico?waiting=${Math.min(jt,wr+1)}`:"/static/favicon.svg")}function lc(){document.title=jt?`(${om()}) ${vr}`:vr}var om=()=>jt>wr?`${wr}+`:String(jt);U();z();var sm=1e4,rm=["not_undone","undoing","in_doubt","failed"];function im({id:e,query:t}){let{data:n,problem:o,reload:s}=D({by:[e],execution:e},d=>T(`/v1/executions/${encodeURIComponent(e)}/status`,{limit:sm},{signal:d}));_(()=>{n&&Do(_e(n.execution.title||e),!0)},[n?.execution.title]);let r=t.get("tab")||"work";if(lm(e,r),!n)return i`<div class="page"><h1 class="visually-hidden">${e}</h1>${o?i`<${L} problem=${o} retry=${s} />`:i`<${H} what="Loading the execution" />`}</div>`;let a={action:t.get("action")||"",step:t.get("step")||"",entry:t.get("entry")||""},l=d=>X({action:"",step:"",entry:"",...d}),c=!!(a.action||a.step||a.entry);return i`<div class="page x-page">
    <${ml} status=${n} query=${t} />
    <${L} problem=${o} retry=${s} />
    <${On} label="Views of this execution" value=${r} tabs=${am(n)} href=${d=>cc(e,d)} />
    <div class=${ee("x-body",c&&"x-detailed",`x-tab-${r}`)}>
      <div class="x-main"><${cm} tab=${r} status=${n} query=${t} chosen=${a} select=${l} /></div>
      ${c&&i`<${dl} execution=${e} status=${n.execution.status} ...${a} steps=${n.steps||[]} onClose=${()=>l({})} onAction=${d=>l({action:d})} />`}
    </div>
  </div>`}var rn=[["work","Work"],["journal","Journal"],["undo","Undo list"],["doubt","In doubt"],["context","Context"],["coverage","Coverage"]],cc=(e,t)=>x(`/x/${e}`,{tab:t===rn[0][0]?"":t});function am(e){let{owed:t,in_doubt:n,undo_states:o={}}=e.execution,r={undo:rm.reduce((l,c)=>l+Number(o[c]||0),0),doubt:n},a={undo:t?"undo":"plain",doubt:"doubt"};return rn.map(([l,c])=>({id:l,title:c,count:r[l],tone:a[l]}))}function lm(e,t){let n=rn.findIndex(([s])=>s===t),o=s=>ce(cc(e,rn[(n+s+rn.length)%rn.length][0]));fe("Execution",{"]":{label:"next view",run:()=>o(1)},"[":{label:"previous view",run:()=>o(-1)},u:{label:"back to all executions",run:()=>ce("/executions")}})}function cm({tab:e,status:t,query:n,chosen:o,select:s}){let r=t.execution,a=l=>s({action:l});return e==="journal"?i`<${sc} execution=${r.id} selected=${Number(o.entry)||0} action=${o.action} onEntry=${l=>s({entry:l})} onAction=${a} />`:e==="undo"?i`<${_l} execution=${r.id} onAction=${a} />`:e==="doubt"?i`<${ul} execution=${r.id} onAction=${a} />`:e==="context"?i`<${Va} execution=${r.id} task=${r.task_id||""} />`:e==="coverage"?i`<${Ga} coverage=${t.coverage} />`:i`<${Wl} status=${t} query=${n} chosen=${o} select=${s} row_actions=${bl(r)} />`}var Ir={};Ce(Ir,{Page:()=>Lm});G();Tr();qo();G();qo();v();te();U();var $m={m:6e4,h:36e5,d:864e5,w:6048e5},mm=20,hm=8;function Gn(e,t=Date.now()){let n=e.trim().toLowerCase();if(n==="today")return{since:ln(Vn(t,0,0))};if(n==="yesterday")return{since:ln(Vn(t,-1,0)),until:ln(Vn(t,0,0))};if(n==="last night"){let s=Vn(t,0,hm);return{since:ln(Vn(t,-1,mm)),...s<t?{until:ln(s)}:{}}}let o=/^(\d{1,6})\s*([mhdw])$/.exec(n);return o?{since:ln(t-Number(o[1])*$m[o[2]])}:null}function Vn(e,t,n){let o=new Date(e);return new Date(o.getFullYear(),o.getMonth(),o.getDate()+t,n).getTime()}var ln=e=>new Date(e).toISOString();z();function gm(e){try{let t=JSON.parse(localStorage.getItem(yc(e))||"null");return Number.isFinite(t?.since)&&Number.isFinite(t?.until)?t:null}catch{return null}}var yc=e=>`tallystick.looked.${e}`;function Bo(e){let t=Date.now(),n=gm(e),o=n?t-n.until<6e5?n.since:n.until:0;return localStorage.setItem(yc(e),JSON.stringify({since:o,until:t})),o}function xc(e,t){let n=()=>document.hidden||Bo(e),o=()=>!document.hidden&&t(),s=setInterval(n,6e4);return document.addEventListener("visibilitychange",o),()=>(clearInterval(s),document.removeEventListener("visibilitychange",o))}var bm=12,ym=500,xm=[["look","Since you last looked"],["24h","24 hours"],["last night","Last night"],["7d","7 days"]],_m={look:"Since you last looked","24h":"The last 24 hours","last night":"Last night","7d":"The last 7 days"},wm=["execution_started","execution_ended","decision_recorded"],vm=[["failed","failed","failed"],["completed","finished","ok"],["cancelled","cancelled","idle"],["closed","closed","idle"],["started","started","running"]];function _c({range:e,all:t}){let[n,o]=h(()=>Bo(Z()));_(()=>xc(Z(),()=>o(Bo(Z()))),[]);let s=e||(n?"look":"24h"),r=s==="look"?{since:new Date(n).toISOString()}:Gn(s)??{since:"24h"},a=D({by:[Z(),s,n,t],kinds:wm},c=>T("/v1/activity",{...r,limit:t?ym:bm},{signal:c})),l=a.data;return i`<section class="home-activity" aria-labelledby="happened">
    <header class="page-head">
      <h2 id="happened">${_m[s]??s}</h2>
      ${l&&i`<${km} since=${l.since} until=${l.until} />`}
      <div class="page-head-end"><${ie} label="Range" value=${s} choices=${xm} onChange=${c=>X({range:c==="look"?"":c,all:""},{replace:!0})} /></div>
    </header>
    <${L} problem=${a.problem} retry=${a.reload} />
    ${l?i`<${Sm} data=${l} all=${t} />`:!a.problem&&i`<${H} />`}
  </section>`}function km({since:e,until:t}){let n=tt(),o=we(),s=o-Date.parse(t)<6e4;return i`<p class="soft">${Nt(e,n)} – ${s?"now":Nt(t,n)}${s?` (${ue(o-Date.parse(e),1)})`:""}</p>`}function Sm({data:e,all:t}){let n=e.agents??[],o=e.executions??[];return n.length?i`<ul class="home-agents" aria-label="By agent">
      ${n.map(s=>i`<li key=${s.actor}>
        <strong class="cut"><${m} text=${s.actor} /></strong>
        <span>${vm.filter(([r])=>s[r]).map(([r,a,l],c)=>i`${c?", ":""}<span class=${`count-${l}`}>${s[r]} ${a}</span>`)}</span>
      </li>`)}
    </ul>
    <div class="panel home-rows" role="list" aria-label="Executions">
      ${o.map((s,r)=>i`<${an} key=${s.id} row=${s} index=${`happened-${r}`} selected=${!1} onFocus=${()=>{}} />`)}
    </div>
    ${e.more&&!t&&i`<p class="soft">There are more. <a href=${x(location.pathname+location.search,{all:1})}>Show all, those that failed first</a></p>`}
    ${(e.more&&t||e.whole===!1)&&i`<p class="soft">${e.more?`These are the first ${o.length}. `:"Older executions may have ended in this time. "}<a href=${x("/executions",{q:`since:${e.since} until:${e.until}`})}>Show all executions started in this time</a></p>`}`:i`<${R}><${F} icon="check" title="Nothing was started or finished." /><//>`}v();oe();zo();Ae();U();z();var Ar={question_waits:{word:"Question",many:"questions",tone:"waiting",icon:"blocked",button:"Answer"},undo_expires:{word:"Undo expires",many:"undos expire",tone:"undo",icon:"late",button:"Undo or keep"},in_doubt:{word:"In doubt",tone:"doubt",icon:"in_doubt",button:"Settle"},run_held:{word:"Step held",many:"steps held",tone:"doubt",icon:"paused",button:"Settle"},interrupted:{word:"Interrupted",tone:"doubt",icon:"warning",button:"Take up or end"},undo_left:{word:"Not undone",tone:"undo",icon:"owed",button:"Undo or keep"}},Mm={in_doubt:"doubt",run_held:"doubt",undo_expires:"undo",undo_left:"undo"},vc=(e,t)=>`${t} ${t>1&&Ar[e]?.many||(Ar[e]?.word??e).toLowerCase()}`;function kc(e){return e.need==="question_waits"?x(`/approvals/${e.about}`):x(`/x/${e.execution_id}`,{tab:Mm[e.need]??""})}function Sc({items:e}){let[t,n]=h(-1),o=s=>n(Math.max(0,Math.min(e.length-1,t+s)));return fe("Needs you",{j:{label:"next",run:()=>o(1)},k:{label:"previous",run:()=>o(-1)},Enter:{label:"open it",run:()=>e[t]&&ce(kc(e[t]))}}),_(()=>{if(t<0)return;document.querySelector(`[data-need="${t}"] .need-link`)?.focus()},[t]),i`<ul class="needs panel" aria-label="What needs you">
    ${e.map((s,r)=>i`<${Cm} key=${`${s.need}/${s.about}`} item=${s} index=${r} onFocus=${()=>n(r)} />`)}
  </ul>`}function Cm({item:e,index:t,onFocus:n}){let{word:o,tone:s,icon:r,button:a}=Ar[e.need]??{word:e.need,tone:"plain",icon:"warning",button:"Open"},l=kc(e);return i`<li class=${`need tone-${s}`} data-need=${t}>
    <span class="need-kind"><${ne} tone=${s} icon=${r}>${o}</${ne}></span>
    <div class="need-what">
      <a class="need-link" href=${l} onFocus=${n}><${m} text=${e.need==="question_waits"?e.text:e.title||e.text} /></a>
      <p class="need-text soft">
        ${e.need==="question_waits"?e.title&&i`<${m} text=${e.title} />`:e.title&&i`<${m} text=${e.text} />`}
        ${e.count>1&&i`<strong>, and ${e.count-1} more</strong>`}
      </p>
    </div>
    <div class="need-since">
      ${e.until?i`<${Am} until=${e.until} />`:i`<span><${N} at=${e.since} /></span>`}
      ${e.who&&i`<span class="need-who cut"><${m} text=${e.who} /></span>`}
    </div>
    <${Fe} class="need-button" href=${l} kind=${e.need==="question_waits"?"primary":"plain"} tabindex="-1" aria-label=${`${a}: ${_e(e.title||e.text)}`}>${a}</${Fe}>
  </li>`}function Am({until:e}){let{text:t,urgency:n}=Jn(e,we());return i`<span class="need-until" title=${e}><${k} name="late" size=${14} /> ${n==="over"?"too late":t}</span>`}G();v();te();U();z();var Om=6e4,Ec={verify_failed:"Verification failed",hook_silent:"Hooks are silent",run_failed:"A run failed",tool_failing:"A tool fails more than usual",step_slow:"A step takes long"};function Tc(){let{data:e,reload:t}=D({by:[Z()],kinds:["alert_silenced","execution_ended"]},o=>T("/v1/alerts",{},{signal:o}));_(()=>{let o=setInterval(()=>document.hidden||t(),Om);return()=>clearInterval(o)},[]);let n=(e?.alerts??[]).filter(o=>o.rule in Ec&&!o.silenced);return n.length?i`<section aria-labelledby="watch">
    <header class="page-head"><h2 id="watch">Worth a look</h2><div class="page-head-end"><a href=${x("/alerts")}>All alerts</a></div></header>
    <ul class="needs panel" aria-label="Worth a look">
      ${n.map(o=>i`<li class="need" key=${`${o.rule}/${o.about}`}>
        <span class="need-kind"><${ne} tone="failed" icon="warning">${Ec[o.rule]}</${ne}></span>
        <div class="need-what">
          ${o.execution_id?i`<a class="need-link" href=${x(`/x/${o.execution_id}`)}><${m} text=${o.text} /></a>`:i`<span class="need-link"><${m} text=${o.text} /></span>`}
          <p class="need-text soft"><${m} text=${[o.title,o.to_do].filter(Boolean).join(" · ")} /></p>
        </div>
        <div class="need-since"><span><${N} at=${o.since} /></span></div>
      </li>`)}
    </ul>
  </section>`:null}v();oe();G();v();te();U();var Im=["approval_","execution_","action_doubted","decision_recorded","session_opened","session_ended"],Nm=1e4,Mc=ys({data:null,problem:null,reload:()=>{}}),Or=Mc.Provider;function Cc(){let e=D({kinds:Im,by:[Z()]},t=>T("/v1/inbox",{limit:50},{signal:t}));return _(()=>{let t=setInterval(()=>document.hidden||e.reload(),Nm);return()=>clearInterval(t)},[]),_(()=>ac(Se()?0:Yn(e.data)),[e.data]),e}var Fo=()=>Ss(Mc),Yn=e=>Object.values(e?.counts??{}).reduce((t,n)=>t+n,0);te();U();z();function Lm({query:e}){let{data:t,problem:n,reload:o}=Fo(),s=D({by:[Z()],kinds:["execution_started"]},l=>T("/v1/executions",{limit:1},{signal:l})),r=e.has("q")||e.has("group")||Se();if(_(()=>{r&&ce(x("/executions",e),{replace:!0})},[r]),r)return null;if(s.data&&!s.data.executions.length)return i`<${Po} />`;if(!t||!s.data)return i`<div class="page"><h1 class="visually-hidden">Home</h1>${n?i`<${L} problem=${n} retry=${o} />`:i`<${H} />`}</div>`;let a=Yn(t);return i`<div class="page home">
    <header class="page-head">
      <h1>${a?"Needs you":"Nothing needs you"}</h1>
      ${a>0&&i`<p class="home-counts soft">${Rm(t.counts)}</p>`}
    </header>
    <${L} problem=${n} retry=${o} />
    ${a?i`<${Sc} items=${t.items} />`:i`<p class="home-calm"><${k} name="completed" size=${20} /><span>No question waits, nothing is in doubt, and nothing is left to undo.</span></p>`}
    ${(t.items.length<a||t.more.length>0)&&i`<p class="soft">There are more: look at <a href=${x("/executions")}>all executions</a>.</p>`}
    <${Dm} rows=${t.working} count=${t.working_count} />
    <${Tc} />
    <${_c} range=${e.get("range")||""} all=${e.has("all")} />
  </div>`}var Rm=e=>Object.entries(e).map(([t,n])=>vc(t,n)).join(" · ");function Dm({rows:e,count:t}){return i`<section aria-labelledby="working">
    <header class="page-head">
      <h2 id="working">${t?"Running now":"Nothing is running"}</h2>
      ${t>0&&i`<p class="soft">${t} ${t===1?"execution":"executions"}</p>`}
      <div class="page-head-end"><a href=${x("/executions")}>All executions</a></div>
    </header>
    ${t>0&&i`<div class="panel home-rows" role="list" aria-label="Running now">
      ${e.map((n,o)=>i`<${an} key=${n.id} row=${n} index=${`working-${o}`} selected=${!1} onFocus=${()=>{}} />`)}
    </div>`}
    ${t>e.length&&i`<p class="soft"><a href=${x("/executions",{q:"only:working"})}>Show all that are running</a></p>`}
  </section>`}U();ze();Lr();Wt();v();oe();G();v();oe();U();je();var jm="excerpt";function Lc(){let[e,t]=h([]),n=Se()?Z():"";if(_(()=>{n&&T("/v1/imports").then(r=>t(r.imports),()=>{})},[n]),!n)return null;let o=e.find(r=>r.journal===n),s=o&&!o.verified;return i`<p class=${`imported ${s?"imported-wrong":""}`} role="note">
    <${k} name=${s?"warning":"import"} />
    <span>This is an imported export${o&&o.of!==jm&&i` of <code><${m} text=${o.of} /></code>`}, not a journal of this server.
      ${s&&i`<strong> It does not verify: <${m} text=${o.problem.replace(/\.$/,"")} />. Do not rely on it.</strong>`}</span>
  </p>`}Nn();Ae();te();U();G();v();oe();U();z();U();var Ho={recent:["Recent","late"],page:["Pages","table"],execution:["Executions","executions"],plan:["Plans","plans"],approval:["Approvals","approvals"],action:["Actions","running"],decision:["Decisions","check"],context:["Context","context"],person:["People and agents","person"],tool:["Tools","settings"]},qm=e=>/\s/.test(e)?`"${e}"`:e;function Rr(e){let{kind:t,id:n}=e;return e.path?x(e.path):t==="execution"?x(`/x/${n}`):t==="plan"?x(`/plans/${n}`):t==="approval"?x(`/approvals/${n}`):t==="action"?x(`/x/${e.execution_id}`,{action:n}):t==="decision"?x(`/x/${e.execution_id}`,{tab:"journal"}):t==="context"?x("/context",{text:n.split(" ").slice(1).join(" ")}):x("/executions",{q:`${t==="person"?"agent":"tool"}:${qm(n)}`})}var Bm=/\b(since|until):(?:"([^"]*)"|(\S+))/gi,zm=/(?<![^\W_])(today|yesterday|last night)(?![^\W_])/gi;function Rc(e){let t={},n=e.replace(Bm,(o,s,r,a)=>{let l=r??a,c=Gn(l);return s.toLowerCase()==="since"?t={...t,...c??{since:l}}:t={...t,until:c?.until??c?.since??l}," "});return n=n.replace(zm,(o,s)=>(t={...t,...Gn(s)}," ")),{text:n.trim().replaceAll(/\s+/g," "),...t}}var Fm=150,Hm=/^(ex|pl|ap)_[a-z0-9]+$/,Um={ex:"execution",pl:"plan",ap:"approval"},Pc=[["/","Home"],["/executions","Executions"],["/approvals","Approvals"],["/plans","Plans"],["/context","Context"],["/stats","Stats"],["/alerts","Alerts"],["/webhooks","Webhooks"],["/compare","Compare two executions"]];function jc({onClose:e}){let[t,n]=h(""),{found:o,searched:s,problem:r,pending:a}=Wm(t),l=A(!1),[c,d]=h(0),u=A(null),p=Me();_(()=>{let b=u.current;return b?.showModal(),()=>b?.close()},[]),_(()=>{d(0),l.current&&o[0]&&$(o[0]),l.current=!1},[o]),_(()=>u.current?.querySelector("[aria-selected=true]")?.scrollIntoView({block:"nearest"}),[c,o]);let $=b=>(e(),ce(Rr(b))),f=b=>{let C={ArrowDown:1,ArrowUp:-1}[b.key];if(C)d((c+C+o.length)%Math.max(o.length,1));else if(b.key==="Enter"&&a)l.current=!0;else if(b.key==="Enter"&&o[c])$(o[c]);else return;b.preventDefault()};return i`<dialog ref=${u} class="dialog palette" aria-label="Search" onCancel=${b=>(b.preventDefault(),e())} onClick=${b=>b.target===u.current&&e()}>
    <div class="palette-box">
      <div class="palette-input">
        <${k} name="search" />
        <input type="text" role="combobox" aria-label="Search everything" aria-expanded="true" aria-controls=${p} aria-activedescendant=${o.length?`${p}-${c}`:null}
          autofocus autocomplete="off" spellcheck="false" placeholder="Search executions, actions, approvals, people, …" value=${t}
          onInput=${b=>n(b.target.value)} onKeyDown=${f} />
        <button type="button" class="button button-ghost" onClick=${e}>Close</button>
      </div>
      <${L} problem=${r} />
      <div id=${p} class="palette-list" role="listbox" aria-label="Found">
        ${Vm(o).map(([b,C])=>i`<div role="group" aria-label=${Ho[b][0]} key=${b}>
          <div class="palette-kind" aria-hidden="true">${Ho[b][0]}</div>
          ${C.map(([M,y])=>i`<${Gm} key=${`${M.kind} ${M.id}`} id=${`${p}-${y}`} found=${M} chosen=${y===c} onOpen=${()=>$(M)} onPoint=${()=>d(y)} />`)}
        </div>`)}
      </div>
      <p class="palette-note soft" role="status">${a?"Searching…":o.length?i`<span class="visually-hidden">${o.length} found</span>`:s?"Nothing was found.":""}</p>
      <p class="palette-hints soft"><span><${Be} keys="↑ ↓" /> choose <${Be} keys="Enter" /> open</span><span>Times too: <code>yesterday</code> <code>last night</code> <code>since:16h</code></span></p>
    </div>
  </dialog>`}function Wm(e){let t=le(()=>[..._r().map(s=>({kind:"recent",id:s.path,...s})),...Pc.map(([s,r])=>({kind:"page",id:s,path:s,title:r}))],[]),[n,o]=h({found:t,searched:!1,problem:null});return _(()=>{let s=Rc(e);if(!s.text&&!s.since&&!s.until)return o({found:t,searched:!1,problem:null,of:e});let r=new AbortController,a=setTimeout(()=>Km(s,r.signal).then(l=>r.signal.aborted||o({found:l,searched:!0,problem:null,of:e}),l=>r.signal.aborted||o({found:[],searched:!0,problem:l,of:e})),Fm);return()=>(clearTimeout(a),r.abort())},[e]),{...n,pending:e!==(n.of??"")}}async function Km(e,t){let n=Hm.exec(e.text);if(n)return[{kind:Um[n[1]],id:e.text,title:e.text}];let o=Pc.filter(([,r])=>e.text&&r.toLowerCase().startsWith(e.text.toLowerCase())).map(([r,a])=>({kind:"page",id:r,path:r,title:a}));return/[\p{L}\p{N}]/u.test(e.text)?[...o,...(await T("/v1/matches",e,{signal:t})).matches]:e.text?[]:(await T("/v1/executions",{since:e.since,until:e.until,limit:20},{signal:t})).executions.map(r=>({kind:"execution",id:r.id,title:r.title,at:r.started,who:r.actor}))}function Vm(e){let t=new Map;return e.forEach((n,o)=>t.set(n.kind,[...t.get(n.kind)??[],[n,o]])),[...t]}function Gm({id:e,found:t,chosen:n,onOpen:o,onPoint:s}){let r=t.snippet??[],a=t.title||t.id,l=r.length>0&&r.join("")===a,c=t.execution_title&&t.kind!=="execution"?t.execution_title:"";return i`<a role="option" id=${e} tabindex="-1" class="palette-option" href=${Rr(t)} aria-selected=${String(n)} onMouseMove=${s}
    onClick=${d=>{d.metaKey||d.ctrlKey||d.shiftKey||(d.preventDefault(),o())}}>
    <${k} name=${Ho[t.kind]?.[1]??"table"} />
    <span class="palette-what">
      <span class="palette-title cut">${l?i`<${Dc} pieces=${r} />`:i`<${m} text=${a} />`}</span>
      ${r.length>0&&!l&&i`<span class="palette-snippet cut"><${Dc} pieces=${r} /></span>`}
      ${(c||t.who)&&i`<span class="palette-where cut soft">${c&&i`<${m} text=${c} />`}${c&&t.who?" · ":""}${t.who&&i`<${m} text=${t.who} />`}</span>`}
    </span>
    ${t.at&&i`<span class="palette-at soft"><${N} at=${t.at} /></span>`}
  </a>`}function Dc({pieces:e}){return e.map((t,n)=>n%2?i`<mark><${m} text=${t} /></mark>`:i`<${m} text=${t} />`)}ze();Ve();z();var Bc=[["/","Home","home","h"],["/executions","Executions","executions","e"],["/approvals","Approvals","approvals","a"],["/plans","Plans","plans","p"],["/context","Context","context","c"],["/stats","Stats","stats","s"]];function Dr({path:e,children:t}){let[n,o]=h(!1),[s,r]=h(!1),a=Cc(),l=Bc.map(([c,d,,u])=>[`g ${u}`,{label:`go to ${d.toLowerCase()}`,run:()=>ce(c)}]);return fe("Everywhere",{"?":{label:"show these shortcuts",run:()=>o(!0)},"/":{label:"search everything",run:()=>r(!0)},"Ctrl+k":{label:"search everything",run:()=>r(!0),typing:!0},f:{label:"filter this page",run:nr},...Object.fromEntries(l),"g l":{label:"go to alerts",run:()=>ce("/alerts")}}),i`<${Or} value=${a}>
    <a class="skip" href="#main" data-native>Skip to the content</a>
    <header class="top">
      <a class="brand" href=${x("/")} aria-label="Tallystick, home"><${go} /><span>Tallystick</span></a>
      <${Ym} />
      <${Jm} path=${e} />
      <div class="top-end">
        <${w} kind="ghost" icon="search" aria-label="Search, Ctrl K" onClick=${()=>r(!0)}><span class="search-key">Ctrl K</span></${w}>
        <${Xm} />
        <${Zm} />
        <${eh} onHelp=${()=>o(!0)} />
      </div>
    </header>
    <${Lc} />
    <main id="main" tabindex="-1">${t}</main>
    <${Rs} />
    <${Ic} />
    <${sh} />
    ${s&&i`<${jc} onClose=${()=>r(!1)} />`}
    ${n&&i`<${oh} onClose=${()=>o(!1)} />`}
  </${Or}>`}function Jm({path:e}){let t=Fo().data,n=!Se()&&t?.counts||{},o={"/":[Se()?0:Yn(t),"need you"],"/approvals":[n.question_waits??0,"pending"]},s=r=>r==="/"?e==="/"||e==="/alerts":e.startsWith(r)||r==="/executions"&&e.startsWith("/x/");return i`<nav class="navigation" aria-label="Main">
    ${Bc.map(([r,a,l])=>i`<a href=${x(r)} class="nav-link" aria-current=${s(r)?"page":null}>
        <${k} name=${l} /><span>${a}</span>
        ${o[r]?.[0]?i`<span class="nav-link-count tone-waiting"><span class="visually-hidden">, </span>${o[r][0]}<span class="visually-hidden"> ${o[r][1]}</span></span>`:null}
      </a>`)}
  </nav>`}function Ym(){let{shown:e,others:t}=ht();return e?t.length?i`<label class="journal-name"><${k} name="journal" /><span class="visually-hidden">Journal</span>
    <select value=${e} onChange=${n=>ce(`/?journal=${encodeURIComponent(n.target.value)}`)}>
      ${[e,...t].sort().map(n=>i`<option value=${n} selected=${n===e}>${n}</option>`)}
    </select>
  </label>`:i`<span class="journal-name" title="Journal"><${k} name="journal" /><span>${e}</span></span>`:null}function Xm(){let e=tt();return me("time")==="absolute"?i`<span class="zone" title="Time zone">${e}</span>`:null}var Qm={live:["live","Live"],connecting:["offline","Connecting"],offline:["offline","Offline"]};function Zm(){let e=ma(),[t,n]=Qm[e];return i`<span class=${`connection connection-${e}`} role="status">
    <${k} name=${t} /><span>${n}</span>
  </span>`}var qc={theme:"Theme",density:"Density",time:"Times",zone:"Time zone"};function eh({onHelp:e}){let t=Oe(),n=tt();return i`<${st} label="Settings" icon="settings" kind="ghost" end>
    <div class="settings">
      ${Object.keys(In).map(o=>i`<${nh} key=${o} name=${o} />`)}
      <p class="soft">Times are shown in ${n}.</p>
      <hr />
      <a class="menu-item" href=${x("/alerts")}><${k} name="warning" />Alerts</a>
      <a class="menu-item" href=${x("/compare")}><${k} name="compare" />Compare two executions</a>
      <a class="menu-item" href=${x("/webhooks")}><${k} name="export" />Webhooks</a>
      <a class="menu-item" href=${x("/import")}><${k} name="import" />Open an export</a>
      <button type="button" class="menu-item" data-close onClick=${e}><${k} name="keyboard" />Shortcuts <${Be} keys="?" /></button>
      ${t.person&&i`<${th} session=${t} />`}
      <p class="soft">Tallystick ${t.version}</p>
    </div>
  </${st}>`}function th({session:e}){return i`<button type="button" class="menu-item" onClick=${async()=>{await fetch("/logout",{method:"POST",headers:{"Tallystick-CSRF":e.csrf}}),ao(!0),location.assign("/login")}}><${k} name="person" />Log out ${e.name}</button>`}function nh({name:e}){let t=me(e);return i`<div class="setting">
    <span>${qc[e]}</span>
    <${ie} label=${qc[e]} value=${t} choices=${In[e]} onChange=${n=>ir(e,n)} />
  </div>`}function oh({onClose:e}){let t=Zi();return i`<${Ze} title="Shortcuts" onClose=${e} wide>
    <div class="help">
      ${t.map(({group:n,keys:o})=>i`<section>
          <h3>${n}</h3>
          <dl>${o.map(([s,r])=>i`<div><dt><${Be} keys=${s} /></dt><dd>${r}</dd></div>`)}</dl>
        </section>`)}
    </div>
  </${Ze}>`}function sh(){let e=ea();return e?i`<div class="pending" role="status"><${Be} keys=${e} /> then…</div>`:null}Ve();z();var sp=()=>Promise.resolve().then(()=>(Sd(),kd)),ty=[["/",async()=>Ir,"Home"],["/executions",()=>Promise.resolve().then(()=>(Nd(),Id)),"Executions"],["/x/:id",async()=>kr,"Execution"],["/approvals",sp,"Approvals","approvals"],["/approvals/:id",sp,"Approvals","approvals"],["/alerts",()=>Promise.resolve().then(()=>(Pd(),Dd)),"Alerts"],["/webhooks",()=>Promise.resolve().then(()=>(Fd(),zd)),"Webhooks"],["/context",()=>Promise.resolve().then(()=>(Kd(),Wd)),"Context"],["/plans",()=>Promise.resolve().then(()=>(Gd(),Vd)),"Plans"],["/plans/:id",()=>Promise.resolve().then(()=>(Zd(),Qd)),"Plan"],["/compare",()=>Promise.resolve().then(()=>(au(),iu)),"Compare"],["/stats",()=>Promise.resolve().then(()=>(Iu(),Ou)),"Stats"],["/replay/:id",()=>Promise.resolve().then(()=>(Yu(),Ju)),"Replay"],["/import",()=>Promise.resolve().then(()=>(tp(),ep)),"Import"]],ny={module:()=>Promise.resolve().then(()=>(op(),np)),params:{},title:"Not found",pageKey:""};function oy(e){for(let[t,n,o,s]of ty){let r=Hi(t,e);if(r)return{module:n,params:r,title:o,pageKey:s}}return ny}function sy(){let{path:e,query:t}=zi(),{module:n,params:o,title:s,pageKey:r}=oy(e),[a,l]=h(null),c=t.get("journal")||"";ke(()=>{Do(s);let u=!1;return n().then(p=>u||l({module:n,Page:p.Page}),()=>u||l({module:n,Page:ry})),()=>{u=!0}},[n]),_(()=>pa(),[c]);let d=A(0);return Re(u=>{u===null&&(d.current+=1)>1&&ut()}),i`<${Dr} path=${e}>
    <${rp} key=${(r||e)+c}>
      ${a?.module===n?i`<${a.Page} ...${o} query=${t} />`:i`<${H} />`}
    </${rp}>
  </${Dr}>`}function ry(){return i`<div class="page"><${L} problem=${{message:"This view could not be loaded.",hint:"Is the server still running?"}} retry=${()=>location.reload()} /></div>`}function rp({children:e}){let[t,n]=Es(o=>console.error(o));return t?i`<${L} problem=${{message:"This view failed.",hint:String(t)}} retry=${n} />`:i`<${ct}>${e}</${ct}>`}Ua();ao();Ui();$a();ta();Vi();bs(i`<${sy} />`,document.getElementById("app"));
