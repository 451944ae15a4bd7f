var Fu=Object.defineProperty;var T=(e,t,n)=>()=>{if(n)throw n[0];try{return e&&(t=e(e=0)),t}catch(o){throw n=[o],o}};var Me=(e,t)=>{for(var n in t)Fu(e,n,{get:t[n],enumerable:!0})};function yt(e){e&&e.parentNode&&e.remove()}function si(e,t,n){var o,r,s,a={},l=arguments.length;for(s in t)s=="key"?o=t[s]:s=="ref"&&typeof e!="function"?r=t[s]:a[s]=t[s];return l>2&&(a.children=l>3?rs.call(arguments,2):n),cn(e,a,o,r,null)}function cn(e,t,n,o,r){var s={type:e,props:t,key:n,ref:o,__k:null,__:null,__b:0,__e:null,__c:null,constructor:dn,__v:r||++ei,__i:-1,__u:0};return!r&&ce.vnode&&ce.vnode(s),s}function lt(e){return e.children}function Kn(e,t){this.props=e,this.context=t,this.__g=0}function at(e,t){if(t==null)return e.__&&at(e.__,e.__i+1);for(var n;t<e.__k.length;t++)if((n=e.__k[t])&&n.__e)return n.__e;return typeof e.type!="function"||e.props.__P?null:at(e)}function Wu(e){var t,n=e.__v,o=n.__e,r=[],s=[],a=e.__P;a&&((t=xt({constructor:dn},n)).__v=n.__v+1,ce.vnode&&ce.vnode(t),is(a,t,n,e.__n,a.namespaceURI,32&n.__u?[o]:null,r,o||at(n),32&n.__u,s),t.__v=n.__v,t.__.__k[t.__i]=t,di(r,t,s),n.__=n.__e=null,t.__e!=o&&ri(t))}function ri(e){if((e=e.__)&&e.__c&&!e.props.__P)return e.__e=null,e.__k.some(function(t){return t&&(e.__e=t.__e)}),ri(e)}function ns(e){(8&e.__g||(e.__g|=8,it.push(e),Gn++))&&es==ce.debounceRendering||((es=ce.debounceRendering)||queueMicrotask)(ii)}function ii(){try{for(var e,t=1;it.length;)it.length>t&&it.sort(ti),e=it.shift(),t=it.length,8&e.__g&&Wu(e)}finally{(Gn=it.length)&&(es||queueMicrotask)(ii)}}function ai(e,t,n,o,r,s,a,l,c,d,u){var p,f,$,b,g,M,w=o.__k||Yn,y=t.length;for(c=Ku(n,t,w,c,y),p=0;p<y;p++)($=n.__k[p])!=null&&(f=~$.__i&&w[$.__i]||Jn,$.__i=p,M=is(e,$,f,r,s,a,l,c,d,u),b=$.__e,(f.ref!=$.ref||8&f.__u)&&(f.ref&&as(f.ref,null,$,f),$.ref&&u.push($.ref,$.__c||b,$)),g=g||b,4&$.__u?(c=li($,c,e,!f.__v),f.__e&&(f.__e=null)):typeof $.type=="function"&&M!==void 0?c=M:b&&(c=b.nextSibling),$.__u&=-21);return n.__e=g,c}function Ku(e,t,n,o,r){var s,a,l,c,d,u,p,f,$,b=n.length,g=b,M=0,w=0,y=e.__k=Array(r);for(s=0;s<r;s++)(a=t[s])!=null&&typeof a!="boolean"&&typeof a!="function"?(typeof a!="object"||a.constructor===String?a=y[s]=cn(null,a):ss(a)?a=y[s]=cn(lt,{children:a}):a.constructor===dn&&a.__b?a=y[s]=cn(a.type,a.props,a.key,a.ref,a.__v):y[s]=a,c=s+M,a.__=e,a.__b=e.__b+1,l=null,~(d=a.__i=Vu(a,n,c,g))&&(g--,(l=n[d])&&(l.__u|=2)),l&&l.__v?(a.__u|=16,d==c-1?M--:d==c+1?M++:d!=c&&(d>c?M--:M++,w=1)):(~d||(r>b?M--:r<b&&M++),typeof a.type!="function"&&(a.__u|=4))):y[s]=null;if(w){for(u=[],p=[],s=0;s<r;s++)if((a=y[s])&&16&a.__u){for(M=0,f=u.length;M<f;)u[$=M+f>>1]<a.__i?M=$+1:f=$;u[M]=a.__i,p[s]=M+1}for(M=u.length;s--;)p[s]&&(p[s]==M?M--:y[s].__u|=4)}if(g)for(s=0;s<b;s++)!(l=n[s])||2&l.__u||(l.__e==o&&(o=at(l)),ls(l,l));return o}function li(e,t,n,o){var r,s,a,l;if(typeof e.type=="function"){if(e.props.__P)return t;if(r=e.__k)for(s=0;s<r.length;s++)r[s]&&(r[s].__=e,t=li(r[s],t,n,!1));return t}for(t&&!t.parentNode&&(t=at(e))&&!t.parentNode&&(t=null),a=e.__e,l=t;l&&l.nodeType==8;)l=l.nextSibling;for(a!=l&&(!o&&n.moveBefore&&a.parentNode?n.moveBefore(a,t):n.insertBefore(a,t||null)),t=a;(t=t&&t.nextSibling)&&t.nodeType==8&&!t.data.startsWith("$s"););return t}function Vu(e,t,n,o){var r,s=e.key,a=e.type,l=t[n],c=l&&!(2&l.__u);if(l===null&&s==null||c&&s==l.key&&a==l.type)return n;if(o>(c?1:0)){for(r=n-1;r>=0;r--)if((l=t[r])&&!(2&l.__u)&&s==l.key&&a==l.type)return r;for(r=n+1;r<t.length;r++)if((l=t[r])&&!(2&l.__u)&&s==l.key&&a==l.type)return r}return-1}function Zr(e,t,n){n==null&&(n=""),t[0]=="-"?e.setProperty(t,n):e[t]=n}function Un(e,t,n,o,r){var s,a;if(t=="style")if(typeof n=="string")e.style.cssText=n;else{if(typeof o=="string"&&(e.style.cssText=o=""),o)for(t in o)n&&t in n||Zr(e.style,t);if(n)for(t in n)o&&n[t]==o[t]||Zr(e.style,t,n[t])}else if(t[0]=="o"&&t[1]=="n")typeof n!="function"&&(n=null),typeof o!="function"&&(o=null),(e.__e||(e.__e={}))[t]=n,n&&o||(a=ts[t]||(ts[t]=Gu(t)),(e.__a||(e.__a={}))[t]=os,s=t!=(t=t.replace(ni,"$1")),(t=t.slice(2))[0]<"a"&&(t=t.toLowerCase()),n?e.addEventListener(t,a,s):e.removeEventListener(t,a,s));else{if(r=="http://www.w3.org/2000/svg")t=t.replace(/xlink(H|:h)/,"h").replace(/sName$/,"s");else if(t!="width"&&t!="height"&&t!="href"&&t!="list"&&t!="form"&&t!="tabIndex"&&t!="download"&&t!="rowSpan"&&t!="colSpan"&&t!="role"&&t!="popover"&&t in e)try{return void(e[t]=n??"")}catch{}if(typeof n=="function")return;n==null||n===!1&&t[4]!="-"?e.removeAttribute(t):e.setAttribute(t,t=="popover"&&n==1?"":n)}}function Gu(e){return function(t){var n=this.__e;if(n){if(n=n[e],t[Wn]==null)t[Wn]=os++;else if(t[Wn]<this.__a[e])return;return n(ce.event?ce.event(t):t)}}}function is(e,t,n,o,r,s,a,l,c,d){var u,p,f,$,b,g,M,w,y,O,I,R,A,Y,le,H,K,se,de=t.type;if(t.constructor!==dn)return null;128&n.__u&&(c=32&n.__u,u=n.__c.__z)&&(t.__u|=c,p=s=[],u.nodeType==8?l=Vn(u,s):s.push(u),l=s[0]||l),(u=ce.__b)&&u(t);e:if(typeof de=="function"){f=a.length;try{if(w=t.props,y=(u=de.prototype)&&u.render,O=(u=de.contextType)&&o[u.__c],I=u?O?O.props.value:u.__:o,($=n.__c)?(t.__c=$,2&$.__g&&($.__g|=1)):(y?t.__c=$=new de(w,I):(t.__c=$=new Kn(w,I),$.constructor=de,$.render=Yu),O&&O.sub($),$.state||($.state={}),$.__n=o,$.__g|=8,$.__h=[],$.__k=[]),y&&($.__s||($.__s=$.state),de.getDerivedStateFromProps&&($.__s==$.state&&($.__s=xt({},$.__s)),xt($.__s,de.getDerivedStateFromProps(w,$.__s)))),b=$.props,g=$.state,$.__v=t,n.__c){if(w!==b&&y&&!de.getDerivedStateFromProps&&$.componentWillReceiveProps&&$.componentWillReceiveProps(w,I),t.__v==n.__v&&!(8&$.__g)||!(4&$.__g)&&$.shouldComponentUpdate&&$.shouldComponentUpdate(w,$.__s,I)===!1){t.__v!=n.__v&&($.props=w,$.state=$.__s,$.__g&=-9),t.__e=n.__e,t.__k=n.__k,t.__k.some(function(U){U&&(U.__=t)}),Yn.push.apply($.__h,$.__k),$.__k=[],$.__h.length&&a.push($),l=at(n);break e}$.componentWillUpdate&&$.componentWillUpdate(w,$.__s,I),y&&$.componentDidUpdate&&$.__h.push(function(){$.componentDidUpdate(b,g,M)})}else y&&!de.getDerivedStateFromProps&&$.componentWillMount&&$.componentWillMount(),y&&$.componentDidMount&&$.__h.push($.componentDidMount);$.context=I,$.props=w,$.__P=e,$.__g&=-5,R=ce.__r,A=y?25:0;do $.__g&=-9,R&&R(t),u=$.render($.props,$.state=$.__s,$.context);while(8&$.__g&&++A<25);y&&(Yn.push.apply($.__h,$.__k),$.__k=[]),$.state=$.__s,$.getChildContext&&(o=xt({},o,$.getChildContext())),y&&n.__c&&$.getSnapshotBeforeUpdate&&(M=$.getSnapshotBeforeUpdate(b,g)),Y=u&&u.type===lt&&u.key==null?u.props.children:u,w.__P&&(u=l,r=(e=w.__P).namespaceURI,c=s=null,n.props&&n.props.__P!=e&&(n.__k.some(function(U){U&&ls(U,U)}),n.__k=null),l=n.__k?at(n,0):null),l=ai(e,ss(Y)?Y:[Y],t,n,o,r,s,a,l,c,d),w.__P&&(t.__e=null,l=u),t.__u&=-161,p&&p.some(yt),$.__h.length&&a.push($),1&$.__g&&($.__g&=-4)}catch(U){if(a.length=f,t.__v=null,c||s)if(U&&U.then){if(t.__u|=128|c,s){for(~(K=s.indexOf(l||void 0))||(K=s.length);(se=s[K-1])&&se.nodeType==8;)K--;for(;K<s.length;K++)if(se=s[K])if(s[K]=null,le){if(se==H)break}else{if(se.nodeType!=8)break;se.data.startsWith("$s")&&(H=Vn(le=se))}}if(!le){for(;l&&l.nodeType==8&&l.nextSibling;)l=l.nextSibling;le=l}(u=Vn(le=t.__c.__z||(t.__c.__z=le)))?(t.__e=le,l=u):t.__e=l,l=l&&l.nextSibling}else s&&s.some(yt);else t.__e=n.__e;t.__k||(t.__k=n.__k||[]),U&&U.then||ci(t),ce.__e(U,t,n)}}else l=t.__e=Ju(n.__e,t,n,o,r,s,a,c,d,e);return(u=ce.diffed)&&u(t),l}function Vn(e,t){if(e&&e.nodeType==8&&e.data.startsWith("$s"))for(var n=1;e=e.nextSibling;){if(e.nodeType==8){if(e.data.startsWith("$s"))n++;else if(e.data.startsWith("/$s")&&!--n)return e}t&&t.push(e)}}function ci(e){e&&(e.__c&&(e.__c.__g|=4),e.__k&&e.__k.some(ci))}function di(e,t,n){for(var o=0;o<n.length;)as(n[o++],n[o++],n[o++]);ce.__c&&ce.__c(t,e),e.some(function(r){try{e=r.__h,r.__h=[],e.some(function(s){s.call(r)})}catch(s){ce.__e(s,r.__v)}})}function Ju(e,t,n,o,r,s,a,l,c,d){var u,p,f,$,b,g,M,w,y=n.props||Jn,O=t.props,I=t.type;if(I=="svg"?r="http://www.w3.org/2000/svg":I=="math"?r="http://www.w3.org/1998/Math/MathML":r||(r="http://www.w3.org/1999/xhtml"),s){for(u=0;u<s.length;u++)if((b=s[u])&&(I?b.localName==I:b.nodeType==3)){e=b,s[u]=null;break}}if(!e){if(w=d.ownerDocument||document,!I)return w.createTextNode(O);e=w.createElementNS(r,I,O.is?O:d),l&&(ce.__m&&ce.__m(t,s),l=!1),s=null}if(I){if(d=I=="template"&&e.content||e,s=I=="textarea"&&O.defaultValue!=null?null:s&&rs.call(d.childNodes),!l&&s)for(y={},u=0;u<e.attributes.length;u++)y[(b=e.attributes[u]).name]=b.value;for(u in y)b=y[u],u=="dangerouslySetInnerHTML"?f=b:u=="children"||u in O||u=="value"&&"defaultValue"in O||u=="checked"&&"defaultChecked"in O||Un(e,u,null,b,r);for(u in O)b=O[u],u=="children"?$=b:u=="dangerouslySetInnerHTML"?p=b:u=="value"?g=b:u=="checked"?M=b:l&&typeof b!="function"||y[u]===b||Un(e,u,b,y[u],r);p?(l||f&&(p.__html==f.__html||p.__html==e.innerHTML)||(e.innerHTML=p.__html),t.__k=[]):(f&&(e.textContent=""),(I=="foreignObject"||r=="http://www.w3.org/1998/Math/MathML"&&Uu.test(I))&&(r="http://www.w3.org/1999/xhtml"),ai(d,ss($)?$:[$],t,n,o,r,s,a,s?s[0]:n.__k&&at(n,0),l,c),s&&s.some(yt)),l&&I!="textarea"||(u="value",I=="progress"&&g==null?e.removeAttribute(u):g==null||g===e[u]&&(I!="progress"||g)||Un(e,u,g,y[u],r),u="checked",M!=null&&M!=e[u]&&Un(e,u,M,y[u],r))}else y===O||l&&e.data==O||(e.data=O);return e}function as(e,t,n,o){try{typeof e=="function"?t?t.__x=e(t)||1:o&&(o=o.__c||o.__e)&&(t=o.__x)&&(o.__x=null,typeof t=="function"?t():e(null)):e.current=t}catch(r){ce.__e(r,n)}}function ls(e,t,n){var o,r,s,a;if(ce.unmount&&ce.unmount(e),!(o=e.ref)||o.current&&o.current!=e.__e||as(o,null,t,e),o=e.__c){if(o.componentWillUnmount)try{o.componentWillUnmount()}catch(l){ce.__e(l,t)}o.__P=o.__n=null}if(o=e.__k)for(a=0;a<o.length;a++)o[a]&&ls(o[a],t,typeof e.type!="function"||n&&!e.props.__P);!n&&(o=e.__c)&&(o=o.__z)&&(r=Vn(o,s=[]))&&(o==e.__e&&s.some(yt),yt(r),yt(o)),n||yt(e.__e),e.__e=e.__c=e.__=null}function Yu(e,t,n){return this.constructor(e,n)}function cs(e,t){var n,o,r,s;ce.__&&ce.__(e,t),t.nodeType==9&&(t=t.documentElement),o=(n=e&&32&e.__u)?null:t.__k,t.__k=cn(lt,{children:[e]}),r=[],s=[],is(t,t.__k,o||Jn,Jn,t.namespaceURI,o?null:t.firstChild?rs.call(t.childNodes):null,r,o?o.__e:t.firstChild,n,s),di(r,t.__k,s),t.__k.props.children=null}function ds(e){function t(n){var o,r;return this.getChildContext||(o=new Set,(r={})[t.__c]=this,this.getChildContext=function(){return r},this.shouldComponentUpdate=function(s){this.props.value!=s.value&&o.forEach(function(a){a.__g|=4,ns(a)})},this.sub=function(s){o.add(s);var a=s.componentWillUnmount;s.componentWillUnmount=function(){o.delete(s),a&&a.call(s)}}),n.children}return t.__c="__cC"+oi++,t.__=e,t.Provider=(t.Consumer=function(n,o){return n.children(o)}).contextType=t,t}var ce,ei,Hu,it,es,Gn,ti,Wn,ni,os,ts,oi,dn,Jn,Yn,Uu,ss,rs,xt,us=T(()=>{dn=Symbol.for("pv"),Jn={},Yn=[],Uu=/^m(i|n|o|s|text|space)$/,ss=Array.isArray,rs=Yn.slice,xt=Object.assign;ce={__e:function(e,t,n,o){for(var r,s,a;t=t.__;)if((r=t.__c)&&!(1&r.__g)){r.__g|=4;try{if((a=(s=r.constructor)&&s.getDerivedStateFromError)&&r.setState(s.getDerivedStateFromError(e)),r.componentDidCatch&&(r.componentDidCatch(e,o||{}),a=1),a&&8&r.__g)return void(r.__g|=2)}catch(l){e=l}}throw Gn=0,e}},ei=0,Hu=function(e){return e!=null&&e.constructor===dn},Kn.prototype.setState=function(e,t){var n=this.__s;n&&n!=this.state||(n=this.__s=xt({},this.state)),typeof e=="function"&&(e=e(xt({},n),this.props)),e&&(xt(n,e),this.__v&&(t&&this.__k.push(t),ns(this)))},Kn.prototype.forceUpdate=function(e){this.__v&&(this.__g|=4,e&&this.__h.push(e),ns(this))},Kn.prototype.render=lt,it=[],Gn=0,ti=function(e,t){return e.__v.__b-t.__v.__b},Wn=Symbol(),ni=/(PointerCapture)$|Capture$/i,os=0,ts={},oi=0});function fi(e){var t=ui.get(this);return t||(t=new Map,ui.set(this,t)),(t=pi(this,t.get(e)||(t.set(e,t=(function(n){for(var o,r,s=1,a="",l="",c=[0],d=function(f){s===1&&(f||(a=a.replace(/^\s*\n\s*|\s*\n\s*$/g,"")))?c.push(0,f,a):s===3&&(f||a)?(c.push(3,f,a),s=2):s===2&&a==="..."&&f?c.push(4,f,0):s===2&&a&&!f?c.push(5,0,!0,a):s>=5&&((a||!f&&s===5)&&(c.push(s,0,a,r),s=6),f&&(c.push(s,f,0,r),s=6)),a=""},u=0;u<n.length;u++){u&&(s===1&&d(),d(u));for(var p=0;p<n[u].length;p++)o=n[u][p],s===1?o==="<"?(d(),c=[c],s=3):a+=o:s===4?a==="--"&&o===">"?(s=1,a=""):a=o+a[0]:l?o===l?l="":a+=o:o==='"'||o==="'"?l=o:o===">"?(d(),s=1):s&&(o==="="?(s=5,r=a,a=""):o==="/"&&(s<5||n[u][p+1]===">")?(d(),s===3&&(c=c[0]),s=c,(c=c[0]).push(2,0,s),s=0):o===" "||o==="	"||o===`
`||o==="\r"?(d(),s=2):a+=o),s===3&&a==="!--"&&(s=4,c=c[0])}return d(),c})(e)),t),arguments,[])).length>1?t:t[0]}var pi,ui,$i=T(()=>{pi=function(e,t,n,o){var r;t[0]=0;for(var s=1;s<t.length;s++){var a=t[s++],l=t[s]?(t[0]|=a?1:2,n[t[s++]]):t[++s];a===3?o[0]=l:a===4?o[1]=Object.assign(o[1]||{},l):a===5?(o[1]=o[1]||{})[t[++s]]=l:a===6?o[1][t[++s]]+=l+"":a?(r=e.apply(l,pi(e,l,n,["",null])),o.push(r),l[0]?t[0]|=2:(t[s-2]=0,t[s]=r)):o.push(l)}return o},ui=new Map});function _t(e,t){he.__h&&he.__h(ue,e,pn||t),pn=0;var n=ue.__H||(ue.__H={__:[],__h:[]});return e>=n.__.length&&n.__.push({}),n.__[e]}function h(e){return pn=1,Xn(Si,e)}function Xn(e,t,n){var o=_t(nt++,2);if(o.t=e,!o.__c&&(o.__=[n?n(t):Si(void 0,t),function(s){var a=(o.__N||o.__)[0],l=o.t(a,s);fs(a,l)||(o.__N=[l,o.__[1]],o.__c.setState({}))}],o.__c=ue,!ue.__f)){ue.__f=!0;var r=ue.shouldComponentUpdate;ue.shouldComponentUpdate=function(s,a,l){var c=this.__H;if(!c)return!0;var d=!1,u=this.props!=s;if(c.__.some(function(f){f.__N&&(d=!0,fs(f.__[0],f.__N[0])||(u=!0))}),r){var p=r.call(this,s,a,l);return d?p||u:p}return!d||u}}return o.__}function _(e,t){var n=_t(nt++,3);!he.__s&&bs(n.__H,t)&&(n.__P=!0,n.__=e,n.u=t,ue.__H.__h.push(n))}function we(e,t){var n=_t(nt++,4);!he.__s&&bs(n.__H,t)&&(n.__P=!1,n.__=e,n.u=t,ue.__h.push(n))}function C(e){return pn=5,ie(function(){return{current:e}},[])}function ie(e,t){var n=_t(nt++,7);return bs(n.__H,t)&&(n.__=e(),n.__H=t),n.__}function xe(e,t){return pn=8,ie(function(){return e},t)}function hs(e){var t=ue.context[e.__c],n=_t(nt++,9);return n.c=e,t?(n.__==null&&(n.__=!0,t.sub(ue)),t.props.value):e.__}function gs(e){var t=_t(nt++,10),n=h();return t.__=e,ue.componentDidCatch||(ue.componentDidCatch=function(o,r){t.__&&t.__(o,r),n[1](o)}),[n[0],function(){return n[1]()}]}function Ee(){var e=_t(nt++,11);if(!e.__){for(var t=ue.__v;!t.__m&&t.__;)t=t.__;var n=t.__m||(t.__m=[0,0]);e.__="P"+n[0]+"-"+n[1]++}return e.__}function Xu(){var e;do{for(;e=$s.shift();)try{un(e)}catch(n){he.__e(n,{__:(e=e.__P)&&e.__v})}for(;e=ki.shift();){var t=e.__H;if(e.__P&&t)try{t.__h.some(un),t.__h.some(ms),t.__h=[]}catch(n){t.__h=[],he.__e(n,e.__v)}}}while($s.length)}function Qu(e){var t,n=function(){clearTimeout(o),vi&&cancelAnimationFrame(t),setTimeout(e)},o=setTimeout(n,35);vi&&(t=requestAnimationFrame(n))}function wi(e){e!=1&&mi==he.requestAnimationFrame||((mi=he.requestAnimationFrame)||Qu)(Xu)}function un(e){var t=ue,n=e.__c;typeof n=="function"&&(e.__c=void 0,n()),ue=t}function ms(e){var t=ue;e.__c=e.__(),ue=t}function bs(e,t){return!e||e.length!=t.length||t.some(function(n,o){return!fs(n,e[o])})}function Si(e,t){return typeof t=="function"?t(e):t}var nt,ue,ps,mi,fs,pn,ki,$s,he,hi,gi,bi,yi,xi,_i,vi,Ti=T(()=>{us();fs=Object.is,pn=0,ki=[],$s=[],he=ce,hi=he.__b,gi=he.__r,bi=he.diffed,yi=he.__c,xi=he.unmount,_i=he.__;he.__b=function(e){ue=null,hi&&hi(e)},he.__=function(e,t){e&&t.__k&&t.__k.__m&&(e.__m=t.__k.__m),_i&&_i(e,t)},he.__r=function(e){gi&&gi(e),nt=0;var t=(ue=e.__c).__H;t&&(ps==ue?ue.__h=[]:(t.__h.some(un),t.__h.some(ms),nt=0),t.__h=[],t.__.some(function(n){n.__N&&(n.__=n.__N),n.u=n.__N=void 0})),ps=ue},he.diffed=function(e){bi&&bi(e);var t=e.__c;t&&t.__H&&(t.__H.__h.length&&wi(ki.push(t)),t.__H.__.some(function(n){n.u&&(n.__H=n.u)})),ps=ue=null},he.__c=function(e,t){t.some(function(n){try{n.__h.some(un),n.__h=n.__h.filter(function(o){return!o.__||ms(o)})}catch(o){n.__h=[function(){throw o}]}}),yi&&yi(e,t)},he.unmount=function(e){xi&&xi(e);var t,n,o=e.__c;o&&o.__H&&(o.__H.__.some(function(r){try{if(r.__P&&r.__c){if(n===void 0){for(n=e.__;n&&(!n.__c||!n.__c.__P);)n=n.__;n=n&&n.__c}r.__P=n,wi($s.push(r))}else un(r)}catch(s){t=s}}),o.__H=void 0,t&&he.__e(t,o.__v))};vi=typeof requestAnimationFrame=="function"});var i,Q,k=T(()=>{us();$i();Ti();i=fi.bind(si),Q=(...e)=>e.filter(Boolean).join(" ")});function ys(){let e=document.activeElement?.closest("main a[href]"),t=[...document.querySelectorAll(Ei)];return{top:window.scrollY,scrolls:new Map(t.filter(n=>n.scrollTop>0).map(n=>[n.ariaLabel??"",n.scrollTop])),href:e?.getAttribute("href")??""}}function Mi(e){fn();let t=performance.now()+3e3,n=0,o=["wheel","touchstart","keydown","pointerdown"];fn=()=>{cancelAnimationFrame(n);for(let s of o)window.removeEventListener(s,fn)};let r=()=>{[Zu(e.top),...[...e.scrolls].map(([a,l])=>ep(a,l))].every(Boolean)&&tp(e.href)||performance.now()>t?fn():n=requestAnimationFrame(r)};for(let s of o)window.addEventListener(s,fn,{passive:!0});n=requestAnimationFrame(r)}function Zu(e){return Math.abs(window.scrollY-e)>1&&window.scrollTo(0,e),Math.abs(window.scrollY-e)<=1}function ep(e,t){let o=[...document.querySelectorAll(Ei)].find(r=>r.ariaLabel===e);return o&&Math.abs(o.scrollTop-t)>1&&(o.scrollTop=t),!!o&&Math.abs(o.scrollTop-t)<=1}function tp(e){if(!e)return!0;let n=[...document.querySelectorAll("main a[href]")].find(o=>o.getAttribute("href")===e);return n?.focus({preventScroll:!0}),!!n}var Ei,fn,Ci=T(()=>{Ei="main .virtual, main .table-scroll";fn=()=>{}});function Ai(){return{path:location.pathname,query:new URLSearchParams(location.search)}}function Oi(){vt=Ai();for(let e of _s)e(vt)}function Ii(){let[e,t]=h(vt);return _(()=>(_s.add(t),t(vt),()=>_s.delete(t)),[]),e}function x(e,t={}){let[n,o]=e.split("?"),r=new URLSearchParams(o),s=t instanceof URLSearchParams?[...t]:Object.entries(t);for(let[l,c]of s)c===""||c===null||c===void 0||c===!1?r.delete(l):r.set(l,String(c));X()&&!r.has(xs)&&r.set(xs,X());let a=np(r);return a?`${n}?${a}`:n}function np(e){return e.toString().replaceAll("%3A",":").replaceAll("%2C",",").replaceAll("%2F","/")}function ae(e,{replace:t=!1}={}){let n=x(e);if(n===location.pathname+location.search)return;let o=n.split("?")[0]!==location.pathname;t||(vs.set(qt,ys()),qt=String(Math.random())),history[t?"replaceState":"pushState"]({key:qt},"",n),Oi(),o&&window.scrollTo(0,0)}function J(e,t){ae(x(vt.path+location.search,e),t)}function Li(e,t){let n=e.split("/"),o=t.replace(/(.)\/$/,"$1").split("/");if(n.length!==o.length)return null;let r={};for(let s=0;s<n.length;s+=1)if(n[s].startsWith(":"))r[n[s].slice(1)]=op(o[s]);else if(n[s]!==o[s])return null;return r}function op(e){try{return decodeURIComponent(e)}catch{return e}}function sp(e){vs.set(qt,ys()),qt=e.state?.key??"",Oi();let t=vs.get(qt);t&&Mi(t)}function Ri(){window.addEventListener("popstate",sp),document.addEventListener("click",rp)}function rp(e){let t=e.target instanceof Element?e.target.closest("a[href]"):null;if(!(t instanceof HTMLAnchorElement)||e.defaultPrevented||e.button!==0||e.metaKey||e.ctrlKey||e.shiftKey||e.altKey||t.target||t.hasAttribute("download")||t.dataset.native!==void 0)return;let n=new URL(t.href);n.origin!==location.origin||n.hash||n.pathname==="/logout"||(e.preventDefault(),ae(n.pathname+n.search))}var xs,_s,vt,vs,qt,Ni,X,ke,z=T(()=>{k();Ci();xs="journal",_s=new Set,vt=Ai(),vs=new Map,qt=history.state?.key??"";Ni=()=>vt,X=()=>vt.query.get(xs)||"",ke=()=>X().startsWith("import-")});function $n(e){try{return JSON.parse(localStorage.getItem(e)||"{}").fields||{}}catch{return{}}}function ws(e,t){try{localStorage.setItem(e,JSON.stringify({at:Date.now(),fields:t}))}catch{}}function ks(e){try{localStorage.removeItem(e)}catch{}}function Zn(e=!1){for(let t of Object.keys(localStorage).filter(n=>n.startsWith(Di))){let{at:n=0}=JSON.parse(localStorage.getItem(t)||"{}");(e||Date.now()-n>ip)&&localStorage.removeItem(t)}}function eo(e,t){let[n,o]=h(()=>({...t,...$n(e)}));return[n,s=>{o(a=>({...a,...s})),ws(e,{...$n(e),...s})},()=>ks(e)]}var Di,ip,Qn,Bt=T(()=>{k();z();Di="tallystick.draft.",ip=30*864e5,Qn=(...e)=>Di+JSON.stringify([X(),...e])});function fe(e,t){let n=C({group:e,keys:{}});n.current={group:e,keys:lp(t)},_(()=>(wt.push(n),qi(),()=>{wt.splice(wt.indexOf(n),1),qi()}),[])}function qi(){for(let e of Es)e(Symbol("keys"))}function lp(e){return Object.fromEntries(Object.entries(e).filter(([,t])=>t))}function Fi(){let[,e]=h(null);return _(()=>(Es.add(e),()=>{Es.delete(e)}),[]),cp()}function cp(){let e=new Map;for(let{current:t}of wt){let n=e.get(t.group)||{};for(let[o,r]of Object.entries(t.keys))n[o]=r.label;e.set(t.group,n)}return[...e].map(([t,n])=>({group:t,keys:Object.entries(n)}))}function Hi(){let[e,t]=h(to);return _(()=>(Ts.add(t),()=>{Ts.delete(t)}),[]),e}function Ss(e){to=e;for(let t of Ts)t(e)}function Bi(e){let t=e.target;return t instanceof HTMLElement&&(t.isContentEditable||t.matches("input:not([type=checkbox]):not([type=radio]), textarea, select"))}function dp(e){return e.target instanceof HTMLElement&&e.target.matches("a[href], button, summary, input, [role=option]")}function zi(e){for(let t=wt.length-1;t>=0;t-=1){let n=wt[t].current.keys[e];if(n)return n}return null}function Ui(){document.addEventListener("keydown",up)}function up(e){if(e.defaultPrevented||e.isComposing||e.altKey)return;let t=(e.metaKey||e.ctrlKey?"Ctrl+":"")+(e.key===" "?"Space":e.key);if((t==="Enter"||t==="Space")&&dp(e))return;let n=to&&zi(`${to} ${t}`)||zi(t);if(clearTimeout(ji),n&&(!Bi(e)||n.typing)){Ss(""),e.preventDefault(),n.run(e);return}let o=s=>s.startsWith(`${t} `),r=!Bi(e)&&wt.some(({current:s})=>Object.keys(s.keys).some(o));Ss(r?t:""),r&&(ji=setTimeout(()=>Ss(""),ap))}var ap,wt,to,ji,Ts,Es,Ce=T(()=>{k();ap=900,wt=[],to="",ji=0,Ts=new Set,Es=new Set});function Wi(e){let t=Number(e);return String(t)===e?t:new Se(e)}var Se,ct=T(()=>{Se=class{constructor(t){this.source=t,Object.freeze(this)}toString(){return this.source}valueOf(){return Number(this.source)}}});function mn(e){return pp.test(e)?As(e):JSON.parse(e)}function As(e){let t=new Cs(e),n=t.value();if(t.at<e.length)throw new kt("This is not JSON yet",t.at);return n}var pp,Ms,Ki,fp,kt,Cs,no=T(()=>{ct();pp=/(?:^|[\s[:,])-?(?:\d{16,}|\d+\.\d+(?:[eE][-+]?\d+)?|\d+[eE][-+]?\d+|(?<=-)0)(?=[\s,\]}]|$)/,Ms=/[ \t\n\r]*/y,Ki=/-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?/y,fp=[["true",!0],["false",!1],["null",null]];kt=class extends SyntaxError{constructor(t,n){super(t),this.at=n}},Cs=class{constructor(t){this.text=t,this.at=0,this.space()}value(){let t=this.text[this.at];if(t==="{")return this.object();if(t==="[")return this.array();if(t==='"')return this.string();Ki.lastIndex=this.at;let n=Ki.exec(this.text);if(n)return this.past(n[0].length),Wi(n[0]);for(let[o,r]of fp)if(this.text.startsWith(o,this.at))return this.past(o.length),r;return this.wrong()}object(){let t={};if(this.past(1),this.took("}"))return t;do{let n=this.at;this.text[n]!=='"'&&this.wrong();let o=this.string();if(Object.hasOwn(t,o))throw new kt(`The name ${JSON.stringify(o)} appears twice`,n);this.took(":")||this.wrong();let r=this.value();o==="__proto__"?Object.defineProperty(t,o,{value:r,enumerable:!0,configurable:!0,writable:!0}):t[o]=r}while(this.took(","));return this.took("}")?t:this.wrong()}array(){let t=[];if(this.past(1),this.took("]"))return t;do t.push(this.value());while(this.took(","));return this.took("]")?t:this.wrong()}string(){let t=this.at;do t=this.text.indexOf('"',t+1);while(t>0&&this.#e(t));if(t<0)return this.wrong();try{let n=JSON.parse(this.text.slice(this.at,t+1));return this.past(t+1-this.at),n}catch{return this.wrong()}}#e(t){let n=t;for(;this.text[n-1]==="\\";)n-=1;return(t-n)%2===1}took(t){return this.text[this.at]!==t?!1:(this.past(1),!0)}past(t){this.at+=t,this.space()}space(){this.text.charCodeAt(this.at)>32||(Ms.lastIndex=this.at,Ms.test(this.text),this.at=Ms.lastIndex)}wrong(){throw new kt("This is not JSON yet",this.at)}}});function ne(e,{indent:t=0,sorted:n=!1}={}){return Vi(e,t?`
`:""," ".repeat(t),n)}function Vi(e,t,n,o){if(e instanceof Se)return e.source;if(typeof e!="object"||e===null)return JSON.stringify(e)??"null";let r=c=>Vi(c,t&&t+n,n,o),[s,a]=Array.isArray(e)?"[]":"{}",l=Array.isArray(e)?e.map(r):$p(e,o).map(c=>`${JSON.stringify(c)}:${t&&" "}${r(e[c])}`);return l.length?s+l.map(c=>(t&&t+n)+c).join(",")+t+a:s+a}function $p(e,t){let n=Object.keys(e).filter(o=>e[o]!==void 0);return t?n.sort():n}var Ne=T(()=>{ct()});function Ns(){return Os??=fetch("/session",{credentials:"same-origin"}).then(e=>e.ok?e.json():oo).catch(()=>oo).then(e=>({...oo,...e})),Os}async function dt(){Os=null;let e=await Ns();for(let t of Is)t(e);return e}function Ae(){let[e,t]=h(oo);return _(()=>(Is.add(t),Ns().then(t),()=>Is.delete(t)),[]),e}var oo,Os,Is,Gi,Fe=T(()=>{k();oo={person:!1,name:"",journal:"",scopes:[],csrf:"",may_decide:!1,version:"",needs_login:!1},Os=null,Is=new Set;Gi=async()=>(await Ns()).csrf});function E(e,t={},{signal:n,accept:o}={}){return Ji(ro(e,t),o?{signal:n,headers:{Accept:o}}:{signal:n})}async function Te(e,t={},{key:n,params:o={}}={}){let r=typeof t=="string"?t:ne(t),s={"Content-Type":typeof t=="string"?"application/x-ndjson":"application/json"},a=await Gi();return a&&Object.assign(s,{"Tallystick-CSRF":a}),n&&Object.assign(s,{"Idempotency-Key":n}),Ji(ro(e,o),{method:"POST",headers:s,body:r})}function ro(e,t={}){let n=new URLSearchParams;for(let[r,s]of Object.entries(t))for(let a of Array.isArray(s)?s:[s])a!==""&&a!==null&&a!==void 0&&a!==!1&&n.append(r,String(a));X()&&!n.has("journal")&&n.set("journal",X());let o=n.toString();return o?`${e}?${o}`:e}async function Ji(e,t){let n=await fetch(e,{credentials:"same-origin",...t}).catch(r=>{throw r.name==="AbortError"?r:new so({detail:"The server cannot be reached.",hint:"Is `tallystick serve` still running?"})});if(n.ok)return n.status===204?null:mn(await n.text());n.status===401&&!e.startsWith("/login")&&location.pathname!=="/login"&&location.assign(`/login?next=${encodeURIComponent(location.pathname+location.search)}`);let o=await n.text().then(mn).catch(()=>({title:n.statusText}));throw new so({status:n.status,...o})}var so,V=T(()=>{no();Ne();z();Fe();so=class extends Error{constructor(t){super(t.detail||t.title||"The server did not answer."),this.name="Problem",this.title=t.title||"",this.status=t.status||0,this.code=t.code||"",this.hint=t.hint||"",this.field=t.field||""}}});function Yi(e,t,n){return navigator.locks?mp(e,t):hp(t,n)}function mp(e,t){let n=new AbortController,o=()=>{},r=()=>new Promise(s=>(o=s,t()));return navigator.locks.request(e,{signal:n.signal},r).catch(()=>{}),()=>(n.abort(),o())}function hp(e,t){let n=0,o=()=>{clearTimeout(n),document.hidden?n=setTimeout(t,5e3):e()};return document.addEventListener("visibilitychange",o),o(),()=>(clearTimeout(n),document.removeEventListener("visibilitychange",o))}var Xi=T(()=>{});function _p(e){if(e!==St){St=e;for(let t of Rs)t(e)}}function ta(){Qi(),zt?.close(),Ds(),Ft=0;let e=`tallystick ${X()}`;zt=new BroadcastChannel(e),zt.addEventListener("message",t=>na(t.data)),zt.postMessage({asks:ea}),Qi=Yi(e,()=>ut||Ps(),Ds)}function Ds(){ut?.close(),ut=null}function Ps(){Ds();let e=new EventSource(ro("/events",Ft?{after:Ft}:{}));ut=e,e.addEventListener("open",()=>{io=Zi,hn({state:"live",reset:!0})}),e.addEventListener("error",()=>{hn({state:e.readyState===EventSource.CLOSED?"offline":"connecting"}),!(e.readyState!==EventSource.CLOSED||ut!==e)&&(setTimeout(()=>ut===e&&Ps(),io),io=Math.min(io*2,xp))});let t=n=>Number(n.lastEventId)||0;for(let n of gp)e.addEventListener(n,o=>hn({seq:t(o),entry:o.data}));e.addEventListener("caught_up",n=>hn({seq:t(n)})),e.addEventListener("shorter",n=>hn({seq:t(n),shorter:!0,reset:!0}))}function hn(e){na(e),zt?.postMessage(e)}function na({asks:e,to:t,state:n,reset:o,seq:r,shorter:s,entry:a}){if(t&&t!==ea)return;e&&ut&&zt?.postMessage({to:e,state:St,reset:St==="live",seq:Ft}),r!==void 0&&(Ft=s?r:Math.max(Ft,r)),n&&_p(n);let l=a===void 0?null:mn(a);if(o||l)for(let c of Ls)c(l)}function oa(){window.addEventListener("online",()=>ut&&St!=="live"&&Ps())}function Le(e){let t=C(e);t.current=e,_(()=>{let n=o=>t.current(o);return Ls.add(n),()=>{Ls.delete(n)}},[])}function sa(){let[e,t]=h(St);return _(()=>(Rs.add(t),t(St),()=>{Rs.delete(t)}),[]),e}function P(e,t){let[n,o]=h({data:null,problem:null,loading:!0}),r=C({keys:e,load:t});r.current={keys:e,load:t};let s=C({timer:0,abort:null,busy:!1,next:0,due:!1}).current,a=xe(async()=>{clearTimeout(s.timer),s.timer=0,s.abort?.abort();let c=new AbortController;s.abort=c,s.busy=!0,s.due=!1;let d=performance.now();try{let u=await r.current.load(c.signal);c.signal.aborted||o({data:u,problem:null,loading:!1})}catch(u){c.signal.aborted||o(p=>({...p,problem:u,loading:!1}))}c.signal.aborted||(s.busy=!1,s.next=performance.now()+yp*(performance.now()-d),s.due&&l())},[]),l=xe(()=>{s.due=!0,!(s.busy||s.timer||document.hidden||r.current.keys.paused)&&(s.timer=setTimeout(a,Math.max(bp,s.next-performance.now())))},[]);return Le(c=>{(c===null||vp(c,r.current.keys))&&l()}),we(()=>{o({data:null,problem:null,loading:!0}),a()},e.by||[]),_(()=>{let c=()=>!document.hidden&&s.due&&l();return document.addEventListener("visibilitychange",c),()=>{document.removeEventListener("visibilitychange",c),clearTimeout(s.timer),s.abort?.abort()}},[]),_(()=>{!e.paused&&s.due&&l()},[e.paused]),{...n,reload:a}}function vp(e,{kinds:t,execution:n}){return e.kind==="body_erased"?!0:n&&e.execution_id!==n&&e.id!==n?!1:!t||t.some(o=>e.kind===o||o.endsWith("_")&&e.kind.startsWith(o))}var gp,bp,yp,xp,Zi,Ls,Rs,ea,ut,zt,Qi,St,Ft,io,Z=T(()=>{V();k();no();Xi();z();gp=["plan_recorded","plan_retired","task_recorded","session_opened","session_ended","session_noted","execution_started","execution_ended","action_begun","action_ended","action_doubted","action_noted","decision_recorded","context_recorded","approval_requested","approval_decided","body_erased","credential_added","credential_revoked","alert_silenced","webhook_added","webhook_rotated","webhook_tested","webhook_replayed","webhook_removed","unreadable"],bp=30,yp=2,xp=15e3,Zi=500,Ls=new Set,Rs=new Set,ea=String(Math.random()),ut=null,zt=null,Qi=()=>{},St="connecting",Ft=0,io=Zi});function S({name:e,label:t="",size:n=16}){let o=ra[e]||ra.planned;return i`
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
  `}function ao({size:e=20}){return i`
    <svg class="mark" width=${e} height=${e} viewBox="0 0 20 20" aria-hidden="true" focusable="false">
      <path class="mark-half" d="M3 1.5h6v17H3z" />
      <path class="mark-half mark-other" d="M11 1.5h6v17h-6z" />
      <path class="mark-notch" d="M3 5.4h6M3 8.5h6M3 11.6h6M3 14.7h6M11 5.4h6M11 8.5h6M11 11.6h6M11 14.7h6" />
    </svg>
  `}var ra,te=T(()=>{k();ra={running:["M8 1.75a6.25 6.25 0 1 1-4.42 1.83","f:M6.5 5.4v5.2L10.7 8z"],completed:["M8 1.75a6.25 6.25 0 1 1 0 12.5 6.25 6.25 0 0 1 0-12.5z","M5.2 8.2l2 2 3.7-4.2"],failed:["M5.4 1.75h5.2l3.65 3.65v5.2l-3.65 3.65H5.4L1.75 10.6V5.4z","M5.9 5.9l4.2 4.2M10.1 5.9l-4.2 4.2"],cancelled:["M8 1.75a6.25 6.25 0 1 1 0 12.5 6.25 6.25 0 0 1 0-12.5z","M3.7 12.3l8.6-8.6"],paused:["M8 1.75a6.25 6.25 0 1 1 0 12.5 6.25 6.25 0 0 1 0-12.5z","M6.4 5.6v4.8M9.6 5.6v4.8"],blocked:["M8 2a2.6 2.6 0 1 1 0 5.2A2.6 2.6 0 0 1 8 2z","M2.9 14c.3-2.9 2.3-4.6 5.1-4.6 1 0 1.9.2 2.7.6","M12.6 9.6v2.6l1.5 1"],unwinding:["M3 5.5h6.4a3.85 3.85 0 1 1 0 7.7H5","M5.8 2.6L2.9 5.5l2.9 2.9"],in_doubt:["M8 1.4L14.6 8 8 14.6 1.4 8z","M6.5 6.5c.1-1 .7-1.5 1.6-1.5.9 0 1.5.5 1.5 1.3 0 1.2-1.6 1.2-1.6 2.5","f:M7.3 10.3h1.4v1.3H7.3z"],skipped:["M2.5 4l5 4-5 4z","M8.5 4l5 4-5 4z"],planned:["M8 1.75a6.25 6.25 0 0 1 3.1.8M13.4 4.9a6.25 6.25 0 0 1 .8 3.1M13.4 11.1a6.25 6.25 0 0 1-2.3 2.3M8 14.25a6.25 6.25 0 0 1-3.1-.8M2.6 11.1A6.25 6.25 0 0 1 1.75 8M2.6 4.9a6.25 6.25 0 0 1 2.3-2.3"],unplanned:["M8 1.75a6.25 6.25 0 1 1 0 12.5 6.25 6.25 0 0 1 0-12.5z","M8 5.2v5.6M5.2 8h5.6"],owed:["M3 8h10","M6 4.5L2.5 8 6 11.5","M13.5 3v10"],late:["M8 1.75a6.25 6.25 0 1 1 0 12.5 6.25 6.25 0 0 1 0-12.5z","M8 4.6V8l2.4 1.6"],home:["M2.5 7.5L8 2.8l5.5 4.7","M4 6.5v7h8v-7"],executions:["M2.5 3.5h11M2.5 8h7M2.5 12.5h9"],approvals:["M2.5 9.5v3a1 1 0 0 0 1 1h9a1 1 0 0 0 1-1v-3","M2.5 9.5h3l1 1.8h3l1-1.8h3L11.6 3H4.4z"],plans:["M2 3h3v3H2zM11 2h3v3h-3zM11 11h3v3h-3z","M5 4.5h3.2v8H11M8.2 3.6H11"],context:["M3 2.5h7.5L13 5v8.5H3z","M5.5 6.5h5M5.5 9h5M5.5 11.5h3"],stats:["M2.5 13.5h11","M4.5 11V8M8 11V3.5M11.5 11V6"],compare:["M6.5 2.5h-4v11h4M9.5 2.5h4v11h-4","M8 1.5v13"],replay:["M3.2 6A5.3 5.3 0 1 1 2.7 8.6","M2.6 2.8L3.1 6l3.2-.5"],import:["M8 2v7.5M5 6.7l3 3 3-3","M2.5 10.5v3h11v-3"],export:["M8 9.8V2.2M5 5l3-3 3 3","M2.5 10.5v3h11v-3"],journal:["M4 1.75h8.5v12.5H4a1.5 1.5 0 0 1 0-3h8.5M2.5 12.7V3.25A1.5 1.5 0 0 1 4 1.75","M5.7 5h4"],timeline:["M2 3.5h5M5 8h7M8.5 12.5H14"],graph:["M8 1.8v3M8 4.8H3.8v3M8 4.8h4.2v3","M2.2 7.8h3.2V11H2.2zM10.6 7.8h3.2V11h-3.2z"],table:["M2 3h12v10H2zM2 6.5h12M2 9.8h12M6.2 6.5V13"],coverage:["M1.5 8C3 5 5.3 3.5 8 3.5S13 5 14.5 8C13 11 10.7 12.5 8 12.5S3 11 1.5 8z","M8 6.2a1.8 1.8 0 1 1 0 3.6 1.8 1.8 0 0 1 0-3.6z"],agent:["M3 5.5h10v7H3zM8 5.5V3","f:M7.2 1.6h1.6v1.6H7.2z","M6 8.3v1.4M10 8.3v1.4"],person:["M8 2a2.8 2.8 0 1 1 0 5.6A2.8 2.8 0 0 1 8 2z","M2.8 14c.4-3 2.4-4.7 5.2-4.7s4.8 1.7 5.2 4.7"],observed:["M1.5 8C3 5 5.3 3.5 8 3.5S13 5 14.5 8C13 11 10.7 12.5 8 12.5S3 11 1.5 8z","f:M8 6a2 2 0 1 1 0 4 2 2 0 0 1 0-4z"],claimed:["M2.5 3h11v7.5H8L5 13v-2.5H2.5z"],search:["M7 2.5a4.5 4.5 0 1 1 0 9 4.5 4.5 0 0 1 0-9z","M10.3 10.3l3.4 3.4"],filter:["M2 3.5h12L9.5 8.8v4L6.5 14V8.8z"],copy:["M5.5 5.5h8v8h-8z","M10.5 5.5v-3h-8v8h3"],check:["M3 8.5l3.2 3.2L13 4.6"],close:["M4 4l8 8M12 4l-8 8"],left:["M10 3.5L5.5 8l4.5 4.5"],right:["M6 3.5L10.5 8 6 12.5"],down:["M3.5 6L8 10.5 12.5 6"],up:["M3.5 10L8 5.5 12.5 10"],first:["M3 3v10","M13 8H6.5M9.3 5L6.3 8l3 3"],follow:["M8 2.5v8.5M4.5 7.8L8 11.3l3.5-3.5","M3 14h10"],link:["M6.7 9.3l2.6-2.6","M7.3 4.7l1.4-1.4a2.8 2.8 0 0 1 4 4l-1.4 1.4M8.7 11.3l-1.4 1.4a2.8 2.8 0 0 1-4-4l1.4-1.4"],save:["M3.5 2.5h9v11L8 10.2 3.5 13.5z"],more:["f:M2.6 7h2v2h-2zM7 7h2v2H7zM11.4 7h2v2h-2z"],settings:["M2 4.5h6M11.5 4.5H14M2 11.5h2.5M8 11.5h6","M9.75 2.75a1.75 1.75 0 1 1 0 3.5 1.75 1.75 0 0 1 0-3.5z","M6.25 9.75a1.75 1.75 0 1 1 0 3.5 1.75 1.75 0 0 1 0-3.5z"],zoomin:["M7 2.5a4.5 4.5 0 1 1 0 9 4.5 4.5 0 0 1 0-9z","M10.3 10.3l3.4 3.4M7 5v4M5 7h4"],zoomout:["M7 2.5a4.5 4.5 0 1 1 0 9 4.5 4.5 0 0 1 0-9z","M10.3 10.3l3.4 3.4M5 7h4"],fit:["M2 5V2h3M11 2h3v3M14 11v3h-3M5 14H2v-3"],warning:["M8 2L14.5 13.5h-13z","M8 6.5v3","f:M7.3 10.7h1.4V12H7.3z"],live:["f:M8 5.5a2.5 2.5 0 1 1 0 5 2.5 2.5 0 0 1 0-5z"],offline:["M8 5.5a2.5 2.5 0 1 1 0 5 2.5 2.5 0 0 1 0-5z"],group:["M2.5 3h11M5 6.5h8.5M2.5 10h11M5 13.5h8.5"],edit:["M2.8 13.2l.6-2.8 7.4-7.4 2.2 2.2-7.4 7.4z"],reply:["M6.5 4L2.5 8l4 4","M2.5 8h6.8c2.4 0 4.2 1.6 4.2 4.5"],bell:["M3.5 11.5h9l-1.2-1.8V7a3.3 3.3 0 0 0-6.6 0v2.7z","M6.7 13.7h2.6"],keyboard:["M1.5 4h13v8h-13z","M4 6.7h.01M6.7 6.7h.01M9.3 6.7h.01M12 6.7h.01M5.5 9.5h5"]}});function Tt(e){let[t,n,o]=wp[e]||["idle","planned",e];return{tone:t,icon:n,word:o}}function W({state:e,word:t,quiet:n=!1}){let{tone:o,icon:r,word:s}=Tt(e);return i`<span class=${Q("status",`tone-${o}`,n&&"status-quiet")}>
    <${S} name=${r} /><span>${t||s}</span>
  </span>`}function ee({tone:e="plain",icon:t,title:n,children:o}){return i`<span class=${`badge tone-${e}`} title=${n}>
    ${t&&i`<${S} name=${t} size=${14} />`}<span>${o}</span>
  </span>`}function Xe({witness:e}){let t=e==="observed";return i`<span class=${`witness witness-${t?"observed":"claimed"}`} title=${t?"A hook, gateway or runner saw it":"The agent reported it"}>
    <${S} name=${t?"observed":"claimed"} size=${14} /><span>${e}</span>
  </span>`}var wp,js=T(()=>{k();te();wp={running:["running","running","running"],open:["running","running","running"],paused:["idle","paused","paused"],blocked:["waiting","blocked","waiting for a person"],unwinding:["undo","unwinding","unwinding"],interrupted:["doubt","warning","interrupted"],waiting:["waiting","blocked","waiting for a person"],completed:["ok","completed","completed"],done:["ok","completed","done"],ok:["ok","completed","ok"],failed:["failed","failed","failed"],cancelled:["idle","cancelled","cancelled"],closed:["idle","check","closed"],skipped:["idle","skipped","skipped"],planned:["idle","planned","planned"],in_doubt:["doubt","in_doubt","in doubt"],doubted:["doubt","in_doubt","in doubt"],unknown:["doubt","in_doubt","in doubt"],unplanned:["plain","unplanned","unplanned"],not_undone:["undo","owed","not undone"],undoing:["running","unwinding","being undone"],partly:["doubt","owed","partly undone"],undone:["undo","unwinding","undone"],kept:["ok","check","kept"],not_possible:["idle","cancelled","cannot be undone"],may_be_undo:["plain","unplanned","may be an undo"],pending:["waiting","blocked","pending"],expired:["idle","late","expired"],approve:["ok","completed","accepted"],edit:["ok","edit","accepted with changes"],reject:["failed","failed","rejected"],respond:["ok","reply","answered"],used:["idle","check","used"],active:["ok","plans","active"],superseded:["idle","late","superseded"],archived:["idle","save","archived"],disabled:["failed","failed","disabled"]}});function v({kind:e="plain",icon:t,label:n,pressed:o,type:r="button",class:s,children:a,...l}){let c=!a||Array.isArray(a)&&!a.length;return i`
    <button
      ...${l}
      type=${r}
      class=${Q("button",`button-${e}`,c&&"button-icon",s)}
      aria-label=${c?n:l["aria-label"]}
      aria-pressed=${o===void 0?null:String(o)}
      title=${c?n:l.title}
    >
      ${t&&i`<${S} name=${t} />`}${a}
    </button>
  `}function He({href:e,icon:t,kind:n="plain",class:o,children:r,...s}){return i`<a ...${s} href=${e} class=${Q("button",`button-${n}`,o)}>
    ${t&&i`<${S} name=${t} />`}${r}
  </a>`}function oe({label:e,value:t,choices:n,onChange:o}){return i`<div class="choice" role="group" aria-label=${e}>
    ${n.map(r=>{let[s,a]=Array.isArray(r)?r:[r,r];return i`<button type="button" aria-pressed=${String(s===t)} onClick=${()=>o(s)}>
        ${a}
      </button>`})}
  </div>`}var Ue=T(()=>{k();te()});async function Ht(e){try{return await navigator.clipboard.writeText(e),!0}catch{return!1}}function ge({text:e,what:t=""}){let[n,o]=h(""),r=async()=>{o(await Ht(e)?"copied":"cannot copy"),setTimeout(()=>o(""),1600)};return i`<span class="copy">
    <button type="button" class="button button-ghost button-icon" aria-label=${`Copy ${t||e}`} title=${`Copy ${t||e}`} onClick=${r}>
      <${S} name=${n==="copied"?"check":"copy"} />
    </button>
    <span class="copy-status" role="status">${n}</span>
  </span>`}function We({id:e,href:t}){return i`<span class="handle">
    ${t?i`<a href=${t}><code>${e}</code></a>`:i`<code>${e}</code>`}<${ge} text=${e} />
  </span>`}var Ut=T(()=>{k();te()});function Qe({title:e,onClose:t,children:n,wide:o=!1,side:r=!1}){let s=C(null),a=Ee();return _(()=>{let c=s.current;return c?.showModal(),()=>c?.close()},[]),i`<dialog
    ref=${s}
    class=${`dialog ${o?"dialog-wide":""} ${r?"dialog-side":""}`}
    aria-labelledby=${a}
    onCancel=${c=>(c.preventDefault(),t())}
    onClick=${c=>c.target===s.current&&t()}
  >
    <div class="dialog-box">
      <header class="dialog-head">
        <h2 id=${a}>${e}</h2>
        <${v} kind="ghost" icon="close" label="Close" onClick=${t} />
      </header>
      <div class="dialog-body">${n}</div>
    </div>
  </dialog>`}var ia=T(()=>{k();Ue()});function ca(e){return da.test(e)&&e.length<la?e?[e]:[]:e.split(Tp).map((t,n)=>n%2?Ep(t):t).filter(Boolean)}function Ep(e){if(e===`
`)return{mark:"↵",title:"a line break"};if(e[0]===" ")return{mark:`${e.length} spaces`,title:`${e.length} spaces, one after the other`};let t=[...e].map(o=>`U+${pa(o).toString(16).toUpperCase().padStart(4,"0")}`),n=t.slice(0,8).join(" ")+(t.length>8?" …":"");return{mark:_e(e),title:`${n}: would not be seen`}}function Mp(e){if(e==="\r")return"\\r";let t=pa(e);return t<256?`\\x${lo(t,2)}`:t<65536?`\\u${lo(t,4)}`:`\\U${lo(t,8)}`}var aa,qs,Bs,la,kp,Sp,Tp,da,_e,ua,co,pa,lo,Cp,Oe,Ke=T(()=>{aa="\\p{scx=Arab}\\p{scx=Syrc}\\p{scx=Mong}\\p{scx=Nkoo}\\p{scx=Deva}\\p{scx=Beng}\\p{scx=Guru}\\p{scx=Gujr}\\p{scx=Orya}\\p{scx=Taml}\\p{scx=Telu}\\p{scx=Knda}\\p{scx=Mlym}\\p{scx=Sinh}\\p{scx=Khmr}\\p{scx=Mymr}\\p{scx=Tibt}",qs=["(?<=[\\p{ExtPict}\\p{EMod}\\ufe0f])\\u200d(?=\\p{ExtPict})",`(?<=[${aa}])[\\u200c\\u200d](?=[${aa}])`,"(?<=\\p{ExtPict})[\\ufe0e\\ufe0f]","(?<=[0-9#*])\\ufe0f(?=\\u20e3)"].join("|"),Bs="[\\p{C}\\p{DI}\\u2800\\p{Zl}\\p{Zp}]|(?! )\\p{Zs}",la=40,kp=new RegExp(`(?!${qs})(?:${Bs})`,"gu"),Sp=new RegExp(`(?![\\n\\t]|${qs})(?:${Bs})`,"gu"),Tp=new RegExp(`((?:(?![\\n\\t]|${qs})(?:${Bs}))+|\\n| {${la},})`,"gu");da=/^[ -~]*$/;_e=e=>da.test(e)?e:e.replace(Sp,Mp),ua=e=>e.replace(kp,t=>t===`
`?t:t.split("").map(n=>`\\u${lo(n.charCodeAt(0),4)}`).join("")),co=(e,t)=>e.slice(0,t).replace(/[\ud800-\udbff]$/,"");pa=e=>Number(e.codePointAt(0)),lo=(e,t)=>e.toString(16).padStart(t,"0"),Cp=/^[\p{L}_$][\p{L}\p{N}_$-]*$/u,Oe=e=>Cp.test(e)?e:JSON.stringify(e)});function zs(e,t){let n=0;for(;n<e.length&&n<t.length&&e[n]===t[n];)n+=1;let o=0,r=Math.min(e.length,t.length)-n;for(;o<r&&e[e.length-1-o]===t[t.length-1-o];)o+=1;let s=e.length-n-o,a=t.length-n-o,l=[];for(let c=0;c<n;c+=1)l.push({before:c,after:c});l.push(...s*a>1e6?Ap(n,s,a):Op(e,t,n,s,a));for(let c=o;c>0;c-=1)l.push({before:e.length-c,after:t.length-c});return l}function Ap(e,t,n){let o=Array.from({length:t},(s,a)=>({before:e+a,after:-1})),r=Array.from({length:n},(s,a)=>({before:-1,after:e+a}));return[...o,...r]}function Op(e,t,n,o,r){let s=r+1,a=new Uint32Array((o+1)*s);for(let u=o-1;u>=0;u-=1)for(let p=r-1;p>=0;p-=1){let f=u*s+p;a[f]=e[n+u]===t[n+p]?a[f+s+1]+1:Math.max(a[f+s],a[f+1])}let l=[],c=0,d=0;for(;c<o||d<r;){let u=c*s+d;c<o&&d<r&&e[n+c]===t[n+d]?(l.push({before:n+c,after:n+d}),c+=1,d+=1):c<o&&(d===r||a[u+s]>=a[u+1])?(l.push({before:n+c,after:-1}),c+=1):(l.push({before:-1,after:n+d}),d+=1)}return l}var fa=T(()=>{});function uo(e,t){let n=[];return ga(bn(e,t),[],n),n}function ma(e,t){let n=[];return ba(bn(e,t),0,"","",n),n}function ha(e,t=3){let n=new Uint8Array(e.length);e.forEach((r,s)=>{r.mark!==" "&&n.fill(1,Math.max(0,s-t),s+t+1)});let o=[];for(let r=0;r<e.length;r+=1){if(n[r]){o.push(e[r]);continue}let s=r;for(;s<e.length&&!n[s];)s+=1;s-r>2?o.push({folded:e.slice(r,s)}):o.push(...e.slice(r,s)),r=s-1}return o}function po(e){return e.map(n=>{let o=typeof n=="number"?"":Oe(n);return o&&o===n?`.${o}`:`[${o||n}]`}).join("").replace(/^\./,"")||"(the whole value)"}function Hs(e,t){return Fs(e)===Fs(t)}function bn(e,t,n=0){return Hs(e,t)?{kind:"same",before:e,after:t}:n>=Ip?{kind:"changed",before:e,after:t}:Array.isArray(e)&&Array.isArray(t)?{kind:"array",before:e,after:t,parts:Lp(e,t,n+1)}:yn(e)&&yn(t)?{kind:"object",before:e,after:t,parts:Np(e,t,n+1)}:{kind:typeof e=="string"&&typeof t=="string"&&/\n/.test(e+t)?"text":"changed",before:e,after:t}}function Np(e,t,n){let o=Object.keys(e),r=Object.keys(t).filter(s=>!Object.hasOwn(e,s));return[...o,...r].map(s=>Object.hasOwn(t,s)?Object.hasOwn(e,s)?{...bn(e[s],t[s],n),key:s}:{kind:"added",key:s,after:t[s]}:{kind:"removed",key:s,before:e[s]})}function Lp(e,t,n){let o=["id","key","name"].find(c=>$a(e,c)&&$a(t,c)),r=c=>c.map(d=>o?d[o]:Fs(d)),s=[],a=[],l=()=>{for(let c of a)s.push({kind:"removed",key:c,before:e[c]});a=[]};for(let c of zs(r(e),r(t)))c.after<0?a.push(c.before):c.before<0&&a.length&&!o?s.push({...bn(e[Number(a.shift())],t[c.after],n),key:c.after}):c.before<0?(l(),s.push({kind:"added",key:c.after,after:t[c.after]})):(l(),s.push({...bn(e[c.before],t[c.after],n),key:c.after}));return l(),s}function $a(e,t){let n=new Set(e.map(o=>yn(o)&&typeof o[t]=="string"?o[t]:void 0));return e.length>0&&!n.has(void 0)&&n.size===e.length}function ga(e,t,n){let o=e.key===void 0?t:[...t,e.key];e.parts?e.parts.forEach(r=>ga(r,o,n)):e.kind==="added"?n.push({path:o,change:"added",after:e.after}):e.kind==="removed"?n.push({path:o,change:"removed",before:e.before}):e.kind!=="same"&&n.push({path:o,change:"changed",before:e.before,after:e.after})}function ba(e,t,n,o,r){if(e.kind==="same")gn(e.after," ",t,n,o,r);else if(e.kind==="removed")gn(e.before,"-",t,n,o,r);else if(e.kind==="added")gn(e.after,"+",t,n,o,r);else if(e.kind==="text")Rp(e,t,n,o,r);else if(e.parts){let[s,a]=e.kind==="array"?"[]":"{}";r.push({mark:" ",depth:t,text:n+s}),e.parts.forEach((l,c,d)=>{let u=e.kind==="array"?"":`${JSON.stringify(l.key)}: `;ba(l,t+1,u,c<d.length-1?",":"",r)}),r.push({mark:" ",depth:t,text:a+o})}else gn(e.before,"-",t,n,o,r),gn(e.after,"+",t,n,o,r)}function gn(e,t,n,o,r,s){ne(e,{indent:1}).split(`
`).forEach((l,c,d)=>{let u=l.length-l.trimStart().length,p=c===d.length-1;s.push({mark:t,depth:n+u,text:(c?"":o)+l.trimStart()+(p?r:"")})})}function Rp(e,t,n,o,r){let s=e.before.split(`
`),a=e.after.split(`
`);r.push({mark:" ",depth:t,text:`${n}"""`});for(let l of zs(s,a)){let c=l.after<0?"-":l.before<0?"+":" ";r.push({mark:c,depth:t+1,text:c==="-"?s[l.before]:a[l.after],within:!0})}r.push({mark:" ",depth:t,text:`"""${o}`})}function Fs(e){return e===void 0?"undefined":ne(e,{sorted:!0})}function yn(e){return typeof e=="object"&&e!==null&&!Array.isArray(e)&&!(e instanceof Se)}var Ip,fo=T(()=>{ct();Ne();Ke();fa();Ip=100});function m({text:e}){return e?i`<bdi class="written"><${pt} text=${e} /></bdi>`:null}function pt({text:e}){return ca(e).map(t=>typeof t=="string"?t:i`<span class="unseen" title=${t.title}>${t.mark}</span>`)}function Re({text:e}){return e.split(`
`).map((t,n)=>i`${n?`
`:""}<${pt} text=${t} />`)}function ya({text:e,cut:t=e.length}){let n=co(e,t);if(!e.includes(`
`))return i`<bdi class="json-string">"<${pt} text=${n.replaceAll(/["\\]/g,"\\$&").replaceAll("	","\\t")} />${t<e.length?"":'"'}</bdi>`;let o=n.split(`
`);return i`<span class="json-brace">text, ${e.split(`
`).length} lines</span><span class="json-block">${o.map((r,s)=>i`<bdi class="json-text"><${pt} text=${r} />${s<o.length-1&&i`<span class="unseen line-end" title="a line break">↵</span>`}</bdi>`)}</span>`}var je=T(()=>{k();Ke()});function re({value:e,label:t="value",raw:n=!1,whole:o=!1}){let[r,s]=h(n?"raw":"tree"),a=xa(e),l=a&&Ze(e).length>jp;return i`<div class="json">
    <div class="json-tools">
      ${l&&i`<${oe} label=${`How ${t} is shown`} value=${r} choices=${["tree","raw"]} onChange=${s} />`}
      <${ge} text=${typeof e=="string"?e:Ze(e)} what=${t} />
    </div>
    ${r==="raw"||!a?i`<${Kt} text=${typeof e=="string"?e:Ze(e)} />`:i`<div class=${l?"json-tree":"json-tree json-short"}><${qp} value=${e} whole=${o} /></div>`}
  </div>`}function Kt({text:e}){let[t,n]=h(!1),o=!t&&e.length>Wt*10;return i`<pre class="text" tabindex="0"><${Re} text=${o?co(e,Wt*10):e} />${o&&i`<button type="button" class="more" onClick=${()=>n(!0)}>… ${e.length-Wt*10} characters more</button>`}</pre>`}function qp({value:e,whole:t}){let n=Object.entries(e),o=t?-1/0:0;return!n.length||Array.isArray(e)?i`<${_a} value=${e} depth=${o} />`:i`<${va} members=${n} depth=${o} flat />`}function _a({name:e,value:t,depth:n}){let o=e===void 0?null:i`<bdi class="json-key"><${pt} text=${e} /></bdi>`;if(!xa(t))return i`<div class="json-line">${o}<${Vt} value=${t} /></div>`;let r=Array.isArray(t),s=Object.entries(t);if(!s.length)return i`<div class="json-line">${o}<span class="json-brace">${r?"[ ]":"{ }"}</span></div>`;let a=`${s.length} ${r?s.length===1?"item":"items":s.length===1?"field":"fields"}`;return i`<details class="json-node" open=${n<Pp}>
    <summary>${o}<span class="json-brace">${r?"[…]":"{…}"} ${a}</span></summary>
    <${va} members=${s} depth=${n} list=${r} />
  </details>`}function va({members:e,depth:t,flat:n=!1,list:o=!1}){let[r,s]=h(Dp);return i`<div class=${n?null:"json-members"}>
    ${e.slice(0,r).map(([a,l])=>i`<${_a} key=${a} name=${o?a:Oe(a)} value=${l} depth=${t+1} />`)}
    ${e.length>r&&i`<button type="button" class="more" onClick=${()=>s(r*10)}>… ${e.length-r} more</button>`}
  </div>`}function Vt({value:e}){let[t,n]=h(!1);if(typeof e!="string")return i`<span class=${`json-${e===null?"null":e instanceof Se?"number":typeof e}`}>${String(e)}</span>`;let o=!t&&e.length>Wt;return i`<${ya} text=${e} cut=${o?Wt:e.length} />${o&&i`<button type="button" class="more" onClick=${()=>n(!0)}>… ${e.length-Wt} more</button>`}`}var Wt,Dp,Pp,jp,Ze,xa,xn=T(()=>{k();ct();Ne();Ue();Ut();je();Ke();Wt=400,Dp=100,Pp=2,jp=160;Ze=e=>e===void 0?"":ne(e,{indent:2}),xa=e=>typeof e=="object"&&e!==null&&!(e instanceof Se)});function qe({before:e,after:t,titles:n=["before","after"]}){let o=uo(e,t),r=o.some(d=>typeof d.before=="string"&&d.before.includes(`
`)),[s,a]=h(""),l=s||(r?"lines":"fields");if(!o.length)return i`<p class="soft">No difference.</p>`;let c=`Difference between ${n[0]} and ${n[1]}`;return i`<div class="diff">
    <div class="diff-head">
      <span class="soft">${Bp(o)}</span>
      <${oe} label="How the difference is shown" value=${l} choices=${["fields","lines"]} onChange=${a} />
    </div>
    <div class="diff-body" role="group" aria-label=${c} tabindex="0">
      ${l==="fields"?i`<${zp} found=${o} titles=${n} />`:i`<${Hp} before=${e} after=${t} titles=${n} />`}
    </div>
  </div>`}function Bp(e){let t=n=>e.filter(o=>o.change===n).length;return["changed","added","removed"].filter(t).map(n=>`${t(n)} ${n}`).join(", ")}function zp({found:e,titles:t}){let n=e.map(o=>({path:o.path.length?po(o.path):"value",kind:o.change,before:o.before,after:o.after}));return i`<${$o} rows=${n} titles=${t} />`}function $o({rows:e,titles:t,words:n={}}){return i`<table class="diff-table">
    <thead>
      <tr><th scope="col">field</th><th scope="col">${t[0]}</th><th scope="col">${t[1]}</th></tr>
    </thead>
    <tbody>
      ${e.map(o=>i`<tr key=${o.path}>
        <th scope="row"><code><${m} text=${o.path} /></code><span class="diff-kind">${n[o.kind]??o.kind}</span></th>
        <td>${o.kind==="added"?i`<span class="faint">–</span>`:i`<del><${wa} value=${o.before} /></del>`}</td>
        <td>${o.kind==="removed"?i`<span class="faint">–</span>`:i`<ins><${wa} value=${o.after} /></ins>`}</td>
      </tr>`)}
    </tbody>
  </table>`}function wa({value:e}){return typeof e=="string"?i`<${Vt} value=${e} />`:i`<${Re} text=${Ze(e)} />`}function Hp({before:e,after:t,titles:n}){let[o,r]=h([]),s=ha(ma(e,t));return i`<p class="visually-hidden">Lines that begin with a minus are only in ${n[0]}, those with a plus only in ${n[1]}.</p>
    <pre class="diff-lines">${s.map((a,l)=>"folded"in a?o.includes(l)?a.folded.map(c=>i`<${ka} line=${c} />`):i`<button type="button" class="diff-fold" onClick=${()=>r([...o,l])}>${a.folded.length} unchanged lines</button>`:i`<${ka} line=${a} />`)}</pre>`}function ka({line:e}){let t=i`${`${e.mark} ${"  ".repeat(e.depth)}${e.within?"│ ":""}`}<bdi><${pt} text=${e.text} /></bdi>${`
`}`;return e.mark==="-"?i`<del class="diff-line diff-removed">${t}</del>`:e.mark==="+"?i`<ins class="diff-line diff-added">${t}</ins>`:i`<span class=${`diff-line diff-${Fp[e.mark]}`}>${t}</span>`}var Fp,Us=T(()=>{fo();k();Ue();xn();je();Fp={" ":"kept","-":"removed","+":"added"}});function Be({keys:e}){return i`<span class="kbd-row">
    ${e.split(" ").map(t=>i`<kbd class="kbd">${Up[t]||t}</kbd>`)}
  </span>`}var Up,Sa=T(()=>{k();Up={ArrowDown:"↓",ArrowUp:"↑",ArrowLeft:"←",ArrowRight:"→",Escape:"Esc",Enter:"⏎"}});function ot({label:e,icon:t,word:n,children:o,kind:r="plain",end:s=!1}){let[a,l]=h(!1),c=C(null),d=Ee();_(()=>{if(!a)return;let p=f=>{let $=f instanceof KeyboardEvent?f.key:"";$&&$!=="Escape"||!$&&f.target instanceof Node&&c.current?.contains(f.target)||(l(!1),$&&(f.preventDefault(),c.current?.querySelector("button")?.focus()))};return document.addEventListener("pointerdown",p),document.addEventListener("keydown",p,!0),()=>{document.removeEventListener("pointerdown",p),document.removeEventListener("keydown",p,!0)}},[a]);let u=p=>{p.target instanceof Element&&p.target.closest("[data-close], a[href]")&&l(!1)};return i`<div class="menu" ref=${c}>
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
  </div>`}var Ta=T(()=>{k();te()});function D({title:e,level:t=2,actions:n,class:o,flush:r=!1,children:s,...a}){return i`<section ...${a} class=${Q("panel",r&&"panel-flush",o)}>
    ${(e||n)&&i`<header class="panel-head">
      ${e&&i`<${`h${t}`} class="panel-title">${e}</${`h${t}`}>`}
      ${n&&i`<div class="panel-actions">${n}</div>`}
    </header>`}
    <div class="panel-body">${s}</div>
  </section>`}function q({icon:e="planned",title:t,children:n}){return i`<div class="empty">
    <${S} name=${e} size=${24} />
    <p class="empty-title">${t}</p>
    ${n&&i`<div class="empty-body">${n}</div>`}
  </div>`}function L({problem:e,retry:t}){return e?i`<div class="problem" role="alert">
    <${S} name="warning" />
    <div>
      <p>${e.message}</p>
      ${e.hint&&i`<p class="soft">${e.hint}</p>`}
    </div>
    ${t&&i`<button type="button" class="button button-plain" onClick=${t}>Try again</button>`}
  </div>`:null}function B({what:e="Loading"}){return i`<p class="loading" role="status">${e}…</p>`}function Ie({rows:e}){return i`<dl class="facts">
    ${e.filter(t=>Array.isArray(t)&&t[1]!==""&&t[1]!==void 0&&t[1]!==null).map(t=>i`<div><dt>${t[0]}</dt><dd>${t[1]}</dd></div>`)}
  </dl>`}var Ea=T(()=>{k();te()});function Ve({label:e,value:t,onChange:n,onEnter:o,placeholder:r="",children:s}){let[a,l]=h(t),c=C(t),d=C(0),u=C(null);_(()=>{t!==c.current&&(c.current=t,l(t))},[t]);let p=b=>{clearTimeout(d.current),c.current=b,n(b)},f=b=>{l(b),clearTimeout(d.current),d.current=setTimeout(()=>p(b),Wp)};return i`<div class="search" role="search">
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
      onInput=${b=>f(b.target.value)}
      onKeyDown=${b=>{(b.key==="Enter"||b.key==="ArrowDown")&&(p(a),o&&(b.preventDefault(),u.current?.blur(),o())),b.key==="Escape"&&(a?(l(""),p("")):u.current?.blur())}}
    />
    ${s}
  </div>`}function Ws(){let e=document.querySelector("main [data-search]");e?.focus(),e?.select()}var Wp,Ma=T(()=>{k();te();Wp=250});function Et({label:e,columns:t,rows:n,id:o,selected:r,onSelect:s}){return i`<div class="table-scroll" tabindex="0" role="region" aria-label=${e}>
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
  </div>`}var Ca=T(()=>{k()});function _n({label:e,tabs:t,value:n,href:o=r=>x(location.pathname+location.search,{tab:r})}){let r=C(null);return _(()=>{r.current?.querySelector("[aria-current]")?.scrollIntoView({block:"nearest",inline:"nearest"})},[n]),i`<nav class="tabs" aria-label=${e} ref=${r} onKeyDown=${a=>{let l={ArrowRight:1,ArrowLeft:-1}[a.key];if(!l||!r.current)return;let c=[...r.current.querySelectorAll("a")];c[(c.indexOf(document.activeElement)+l+c.length)%c.length].focus(),a.preventDefault()}}>
    ${t.map(a=>i`<a href=${o(a.id)} class="tab" aria-current=${a.id===n?"page":null}>
        ${a.title}
        ${a.count?i`<span class=${`tab-count tone-${a.tone||"plain"}`}>${a.count}</span>`:null}
      </a>`)}
  </nav>`}var Aa=T(()=>{k();z()});function Mt({row:e,steps:t,running:n=!1,failed:o=!1}){let{done:r,undone:s,skipped:a,total:l}=Ks(e),c=[...Array(r-s).fill("done"),...Array(s).fill("undone"),...Array(a).fill("skipped")],d=t||Array.from({length:Math.min(l,Oa+1)},(f,$)=>c[$]??Kp($-c.length,n,o)),u=t?t.length:l,p=Ia(e);return u?i`<span class="tally" role="img" aria-label=${p} title=${p}>
    ${u>Oa?i`<span class="tally-bar"><span style=${{width:`${100*(r+a)/u}%`}}></span></span>`:d.map((f,$)=>i`<i class=${Q("notch",`notch-${f}`,$%5===4&&"notch-fifth")}></i>`)}
  </span>`:i`<span class="tally-none">ad hoc</span>`}function Ia(e){let{done:t,undone:n,skipped:o,total:r}=Ks(e),s=n?`, of which ${n} undone`:"";return o?`${t} done${s}, ${o} skipped of ${r} steps`:`${t} of ${r} steps done${s}`}function st(e){let{done:t,undone:n,skipped:o,total:r}=Ks(e),s=[n&&`${n} undone`,o&&`${o} skipped`].filter(Boolean);return`${t}/${r}${s.length?` (${s.join(", ")})`:""}`}function Ks(e){return{done:e.done_steps??0,undone:e.undone_steps??0,skipped:e.skipped_steps??0,total:e.total_steps??0}}function Kp(e,t,n){return e?"planned":n?"failed":t?"running":"planned"}var Oa,Vs=T(()=>{k();Oa=40});function mo(e){let t=localStorage.getItem(`tallystick.${e}`)||"",n=vn[e];return n.includes(t)?t:n[0]}function Js(e,t){localStorage.setItem(`tallystick.${e}`,t),document.documentElement.dataset[e]=t;for(let n of Gs)n(Symbol(e))}function be(e){let[,t]=h(null);return _(()=>(Gs.add(t),()=>{Gs.delete(t)}),[]),mo(e)}function Na(){window.addEventListener("storage",e=>{let t=e.key?.replace("tallystick.","");t&&t in vn&&Js(t,mo(t))})}var vn,Gs,et=T(()=>{k();vn={theme:["system","light","dark"],density:["compact","comfortable"],time:["relative","absolute"],zone:["local","utc"]},Gs=new Set});function ve(){let[e,t]=h(()=>Date.now());return _(()=>(ho.add(t),Ys||=setInterval(()=>!document.hidden&&ho.forEach(n=>n(Date.now())),Vp),()=>{ho.delete(t),ho.size||(Ys=void clearInterval(Ys))}),[]),e}function pe(e,t=2){if(e<-Gp)return"–";let n=Math.max(0,e);if(n<1e3)return`${Math.round(n)} ms`;if(n<1e4&&t>1)return`${(n/1e3).toFixed(1).replace(".0","")} s`;let o=Math.round(n/1e3),r=[];for(let[s,a]of Jp){let l=Math.floor(o/s);if(o-=l*s,l&&r.push(`${l} ${a}`),r.length&&!l||r.length===t)break}return r.join(" ")}function Gt(e,t){let n=new Date(e);return Number.isNaN(n.getTime())?String(e):Qp[t==="utc"?"utc":"local"].format(n)}function wn(e,t){let n=new Date(e);return(n.toDateString()===new Date().toDateString()?Yp:Xp)[t==="utc"?"utc":"local"].format(n)}function tt(){return be("zone")==="utc"?"UTC":Intl.DateTimeFormat().resolvedOptions().timeZone}function N({at:e,lead:t="",tail:n=" ago",form:o}){let r=be("time"),s=be("zone");return e?i`<time class="time" dateTime=${e} title=${Gt(e,s)}>
    ${(o||r)==="absolute"?wn(e,s):i`<${Zp} at=${e} lead=${t} tail=${n} />`}
  </time>`:i`<span class="faint">–</span>`}function Zp({at:e,lead:t,tail:n}){let o=ve()-Date.parse(e);return o<1500&&!t?"now":`${t}${pe(Math.max(o,1e3),1)}${t?"":n}`}function ft({from:e,to:t}){return t?i`<span class="num">${pe(Date.parse(t)-Date.parse(e))}</span>`:i`<${ef} from=${e} />`}function ef({from:e}){return i`<span class="num">${pe(ve()-Date.parse(e))}</span>`}var Vp,Gp,Jp,ho,Ys,Xs,Qs,Yp,Xp,Qp,$t=T(()=>{k();et();Vp=1e3,Gp=3e5,Jp=[[86400,"d"],[3600,"h"],[60,"min"],[1,"s"]],ho=new Set,Ys=0;Xs=e=>({local:new Intl.DateTimeFormat("en-GB",e),utc:new Intl.DateTimeFormat("en-GB",{...e,timeZone:"UTC"})}),Qs={hour:"2-digit",minute:"2-digit",second:"2-digit"},Yp=Xs(Qs),Xp=Xs({day:"numeric",month:"short",...Qs}),Qp=Xs({dateStyle:void 0,year:"numeric",month:"short",day:"numeric",...Qs,fractionalSecondDigits:3,timeZoneName:"short"})});function ye(e,t="plain"){let n=nf+=1;La([...go,{id:n,text:e,tone:t}]),setTimeout(()=>La(go.filter(o=>o.id!==n)),tf)}function La(e){go=e;for(let t of Zs)t(e)}function er(){let[e,t]=h(go);return _(()=>(Zs.add(t),()=>{Zs.delete(t)}),[]),i`<div class="toasts" role="status" aria-live="polite">
    ${e.map(n=>i`<p key=${n.id} class=${`toast tone-${n.tone}`}>${n.text}</p>`)}
  </div>`}var tf,go,nf,Zs,kn=T(()=>{k();tf=5e3,go=[],nf=0,Zs=new Set});function Ct({rows:e,height:t,row:n,looks:o,label:r,selected:s=-1,atEnd:a=!1,onEnd:l,onNear:c,onRange:d,head:u,role:p="list",outer:f="region"}){let $=C(null),[b,g]=h({top:0,room:800}),M=C(!1),w=C(new Map),y=xe(()=>{let H=$.current;H&&g(K=>{let se=Math.floor(H.scrollTop/t)*t;return K.top===se&&K.room===H.clientHeight?K:{top:se,room:H.clientHeight}})},[t]);we(()=>{let H=$.current;if(!H)return;let K=new ResizeObserver(y);return K.observe(H),y(),()=>K.disconnect()},[y]),we(()=>{!a||!$.current||(M.current=!0,$.current.scrollTop=$.current.scrollHeight)},[a,e.length]),we(()=>{let H=$.current;if(s<0||!H)return;let K=s*t;K<H.scrollTop?H.scrollTop=K:K+t*2>H.scrollTop+H.clientHeight&&(H.scrollTop=K+t*2-H.clientHeight)},[s,t]);let O=()=>{y();let H=$.current,K=H.scrollTop+H.clientHeight>=H.scrollHeight-t;M.current||l?.(K),M.current=!1},I=Math.max(0,Math.floor(b.top/t)-Ra),R=Math.min(e.length,Math.ceil((b.top+b.room)/t)+Ra);_(()=>{c&&R>=e.length&&c()},[R,e.length]),_(()=>d?.(I,R),[I,R,d]);let A=new Map,Y=(H,K)=>{let se=o?.(H,K),de=w.current.get(H),U=de&&de.looks===se?de:{looks:se,row:n(H,K)};return se!==void 0&&A.set(H,U),U.row},le=e.slice(I,R).map((H,K)=>Y(H,I+K));return w.current=A,i`<div class="virtual" ref=${$} onScroll=${O} tabindex="0" role=${f} aria-label=${r} aria-rowcount=${f==="table"?e.length+1:null}>
    ${u}
    <div class="virtual-all" role=${p} style=${{height:`${e.length*t}px`}}>
      <div class="virtual-seen" role="presentation" style=${{transform:`translateY(${I*t}px)`}}>
        ${le}
      </div>
    </div>
  </div>`}var Ra,Da=T(()=>{k();Ra=12});var j=T(()=>{js();Ue();Ut();ia();Us();xn();Sa();Ta();Ea();Ma();Ca();Aa();Vs();je();Ke();$t();kn();Da()});function mt(){let e=Ae(),[t,n]=h([]);_(()=>{let r=()=>document.hidden||E("/v1/journals").then(a=>n(l=>af(l,a.journals)?l:a.journals),()=>{});r();let s=setInterval(r,rf);return()=>clearInterval(s)},[]);let o=X()||e.journal;return{shown:o,others:t.filter(r=>r!==o)}}var rf,af,Sn=T(()=>{V();k();z();Fe();rf=5e3;af=(e,t)=>e.length===t.length&&e.every((n,o)=>n===t[o])});function ht(){let[e,t]=h(lf),{shown:n}=mt();_(()=>{tr||=E("/clients"),tr.then(t,()=>tr=null)},[]);let o=Ge(e.command),r=e.store?` --url ${Ge(e.store)}`:"";return{clients:e.clients,setup:`${e.store?`TALLYSTICK_URL=${Ge(e.store)} `:""}${o} setup`,commandLine:s=>`${o} ${s}${r} --journal ${Ge(n)}`}}var lf,tr,Ge,Jt=T(()=>{V();k();Sn();lf={clients:[],command:"tallystick",store:""},tr=null;Ge=e=>/^[\w@%+=:,./-]+$/.test(e)?e:`'${e.replaceAll("'",`'"'"'`)}'`});function qa(e,t,{reason:n="",answer:o="",text:r=""}={}){let s={verdict:t,...n.trim()?{reason:n.trim()}:{}};if(t==="respond")return o.trim()?{body:{...s,answer:o.trim()}}:{problem:"Enter an answer for the agent.",field:"answer"};if(t!=="edit")return{body:s};let a=nr(r);return"problem"in a?{problem:a.problem,field:"arguments"}:Hs(a.value,e.arguments??{})?{problem:"The arguments are unchanged. To grant the call as asked, choose Accept.",field:"arguments"}:{body:{...s,arguments:a.value}}}function nr(e){let t;try{t=As(e)}catch(n){return cf(e,n)}return yn(t)?{value:t}:{problem:"Arguments must be a JSON object: begin with { and end with }.",line:1}}function cf(e,t){if(!(t instanceof kt))return{problem:"The arguments are nested too deep.",line:1};let n=e.slice(0,t.at).split(`
`).length;return{problem:`${e.trim()?t.message:"Arguments are missing"}. Check line ${n}.`,line:n}}function yo(e,t){return t&&t.status==="expired"?"Too late: the question has expired. Nothing was granted, and the agent has to ask again.":t&&t.status==="closed"?"Too late: its execution has ended. Nothing was granted.":t&&t.status!=="pending"?`The question was already answered${t.decided_by?` by ${t.decided_by}`:t.answered_in?` in ${t.answered_in}`:""}: ${At(t.status)}. Your answer was not used.`:e.code==="not_permitted"||e.status===403?"You are not logged in as a person who may decide. Your answer is kept: enter a credential, and send it again.":[e.message,e.hint].filter(Boolean).join(" ")}function At(e){return e==="used"?"accepted, and used":e in Tn?Tn[e].past.toLowerCase():e}var Tn,Yt=T(()=>{fo();no();Tn={approve:{verb:"Accept",past:"Accepted",key:"a"},edit:{verb:"Edit",past:"Accepted with other arguments",key:"e"},reject:{verb:"Reject",past:"Rejected",key:"r"},respond:{verb:"Respond",past:"Answered",key:"m"}}});function xo({get:e,post:t}){return async(n,o,r)=>{let s=`/v1/approvals/${encodeURIComponent(n)}`;try{let a=await t(`${s}/decision`,o,{key:r});return{id:n,ok:!0,status:a.status,problem:""}}catch(a){let l=await e(s).catch(()=>null),{status:c}=a;return{id:n,ok:!1,status:l?.status??"",problem:yo(a,l),refused:c===401||c===403}}}}var Xt,En=T(()=>{Yt();Xt=()=>`page-${crypto.randomUUID?.()??[...crypto.getRandomValues(new Uint32Array(4))].join("-")}`});async function pf(e){let n=(await Promise.all(uf.map(r=>E("/v1/entries",{kind:r,newest_first:!0,limit:df},{signal:e})))).flatMap(r=>r.entries).toSorted((r,s)=>r.seq-s.seq),o=new Set;for(let{kind:r,facts:s}of n)r==="credential_added"&&s.scopes?.includes("approve")&&!(s.expires&&ff(s.expires))?o.add(s.name):o.delete(s.name);return[...o]}function Ba(){let{data:e}=P({kinds:["credential_"]},t=>pf(t).catch(()=>[]));return e?e.length?i`<p class="soft who-may">May decide: ${e.map((t,n)=>i`${n?", ":""}<strong><${m} text=${t} /></strong>`)}.</p>`:i`<p class="soft who-may">No one here is known to hold a credential with the scope <code>approve</code>.</p>`:null}var df,uf,ff,za=T(()=>{V();k();Z();je();df=200,uf=["credential_added","credential_revoked"];ff=e=>(typeof e=="number"?e/1e3:Date.parse(e))<=Date.now()});function Je({onDone:e,scope:t="approve"}){let[n,o]=h(""),[r,s]=h(""),[a,l]=h(!1),[c,d]=h(!1),u=Ee(),p=ht().commandLine("credential add NAME");return i`<form class="credential" onSubmit=${async $=>{$.preventDefault(),l(!0);let b=await Te("/login",{token:n.trim()}).then(()=>"",mf),g=b?null:await dt();l(!1),o(""),g&&(t==="approve"?g.may_decide:g.scopes.includes(t))?e?.():(s(b||`This credential ${t==="approve"?"may not decide: it ":""}lacks the scope “${t}”.`),document.getElementById(u)?.focus())}} aria-labelledby=${`${u}-title`}>
    <h2 id=${`${u}-title`} class="visually-hidden">Who are you?</h2>
    <div class="credential-row">
      <label class="field" for=${u}>
        <span>Credential <span class="faint">${$f[t]}</span></span>
        <input
          id=${u} type="password" autocomplete="current-password" spellcheck="false" required value=${n}
          placeholder="ts_…" aria-describedby=${`${u}-problem`} aria-invalid=${r?"true":null}
          onInput=${$=>(o($.target.value),s(""))}
        />
      </label>
      <${v} kind="primary" type="submit" disabled=${a||!n.trim()}>Use it in this session<//>
    </div>
    <p id=${`${u}-problem`} class="field-problem" role="alert">${r}</p>
    <details class="credential-how" onToggle=${$=>d($.target.open)}>
      <summary>${t==="approve"?"I have none: who may decide?":"I have none"}</summary>
      ${c&&t==="approve"&&i`<${Ba} />`}
      <p class="soft">The operator of this server can create one. It is shown once:</p>
      <span class="command"><code>${p}</code><${ge} text=${p} what="the command" /></span>
    </details>
  </form>`}function mf(e){return e.status===401||e.status===403?"This credential is unknown or no longer valid.":e.message}var $f,Qt=T(()=>{za();V();k();Fe();Jt();Ue();Ut();$f={approve:"Deciding needs an approver’s credential. An agent’s token can never do it.",admin:"This needs a credential with the scope “admin”. An agent’s token can never do it."}});function Ye(e,t,n){let o=URL.createObjectURL(new Blob(Array.isArray(t)?t:[t],{type:n})),r=Object.assign(document.createElement("a"),{href:o,download:Lf(e)});document.body.append(r),r.click(),r.remove(),setTimeout(()=>URL.revokeObjectURL(o),6e4)}function Lf(e){return e.normalize("NFKC").replaceAll(/[^\p{L}\p{N}._ -]+/gu,"-").replace(/^[.\s-]+/,"").slice(0,120)||"tallystick"}var Nn=T(()=>{});function ko(e){let[t,n]=h({library:null,problem:null});if(_(()=>{e().then(o=>n({library:o,problem:null}),o=>n({library:null,problem:o}))},[e]),t.problem)throw t.problem;return t.library}var cl,dl,ar=T(()=>{k();cl=()=>import("./dagre-72RP2Z24.js"),dl=()=>import("./uplot-2LURMCIS.js").then(e=>e.default)});function Il(e){let[t,n]=h({lines:[],complete:!1,problem:null}),o=C([]),r=C(new Set),s=C(0),a=C(0),l=(p,f=!0)=>{o.current=p,n({lines:p,complete:f,problem:null})},c=async()=>{let p=a.current+=1,f=[],$="";do{let b=await E("/v1/actions",{execution_id:e,limit:Ol,cursor:$});if(p!==a.current)return;f=f.concat(b.actions),$=b.next_cursor||"",$&&f.length>o.current.length&&l(f,!1)}while($);l(f)},d=async()=>{s.current=0;let p=[...r.current];r.current.clear();let f=o.current;if(!f.length||p.length>x$||p.includes("*"))return c();let $=a.current,b=await E("/v1/actions",{execution_id:e,limit:Ol,cursor:f[f.length-1].id}),g=new Set(f.map(y=>y.id)),M=await Promise.all(p.filter(y=>g.has(y)).map(y=>E(`/v1/actions/${y}`)));if($!==a.current)return;if(b.next_cursor)return c();let w=new Map(M.map(y=>[y.id,y]));l([...f.map(y=>w.has(y.id)?w$(y,w.get(y.id)):y),...b.actions])},u=p=>p().catch(f=>n($=>({...$,problem:f})));return _(()=>(o.current=[],n({lines:[],complete:!1,problem:null}),u(c),()=>{a.current+=1,clearTimeout(s.current),s.current=0}),[e]),Le(p=>{let f=!p||v$.has(p.kind);!f&&p.execution_id!==e||(r.current.add(f?"*":p.id),s.current||=setTimeout(()=>u(d),_$))}),t}function w$(e,t){let{state:n,ended:o,lost:r,undo_state:s,undone_by:a,attempt:l}=t;return{...e,state:n,ended:o,lost:r,undo_state:s,undone_by:a,attempt:l}}var Ol,x$,_$,v$,Nl,dr=T(()=>{V();k();Z();Ol=2e3,x$=12,_$=60,v$=new Set(["session_ended","body_erased"]);Nl=e=>e.summary||e.tool||e.step||e.id});function Mo(){let[e,t]=h(""),{shown:n,others:o}=mt(),{clients:r,setup:s,commandLine:a}=ht(),l=[...new Set(r.map(d=>d.client))],c=r.filter(d=>d.client===(e||l[0]));return i`<div class="page first-steps">
    <header class="first-steps-head">
      <${ao} size=${40} />
      <h1>Nothing is recorded yet</h1>
      <p class="soft">Plans, actions, decisions and undo lists appear here as soon as they are recorded. The page updates itself.</p>
      <p class="first-steps-wait" role="status"><span class="pulse"></span>Waiting for the first entry in <code>${n}</code>…</p>
      ${o.length>0&&i`<p role="status">Each project has its own journal. Journals with entries:
        ${o.slice(0,mr).map((d,u)=>i`${u?", ":" "}<a href=${`/?journal=${encodeURIComponent(d)}`}>${d}</a>`)}${o.length>mr?` and ${o.length-mr} more`:""}.</p>`}
    </header>
    <div class="first-steps-ways">
      <${D} title="1. Record every call" level=${2}>
        <p>One command sets up the hooks of Claude Code, Codex, Gemini CLI, Cursor and Copilot. It shows what it changes,
        and <code>setup --remove</code> reverts it.</p>
        <${hr} text=${s} />
      </${D}>
      <${D} title="2. Give the agent the journal's tools" level=${2}>
        <p>With the tools, an agent can record plans and decisions, and read what the last agent did.</p>
        ${l.length>0&&i`<${oe} label="Client" value=${e||l[0]} choices=${l} onChange=${t} />`}
        ${c.map(d=>i`<div class="snippet" key=${d.over+d.where+d.client}>
            <p class="soft">${d.where.replaceAll("`","")}${d.over==="http"?", through this server":""}</p>
            <${hr} text=${d.text} />
          </div>`)}
      </${D}>
      <${D} title="3. Or write the first entry yourself" level=${2}>
        <${hr} text=${a('record execution-start --title "Clean up"')} />
        <p class="soft"><${S} name="right" />This page then shows the execution.</p>
      </${D}>
    </div>
  </div>`}function hr({text:e}){return i`<div class="snippet-command"><pre tabindex="0"><code>${e}</code></pre><${ge} text=${e} what="command" /></div>`}var mr,gr=T(()=>{k();te();Sn();Jt();j();mr=8});function Xl(e){let t=[];for(let[,n,o,r]of e.matchAll(/(?:([a-z]+):)?(?:"([^"]*)"|(\S+))/g)){let s=o??r??"";n&&!(n in Jl)?t.push({field:"",value:`${n}:${s}`}):t.push({field:n||"",value:s})}return t}function Pn(e){return e.map(({field:t,value:n})=>`${t?`${t}:`:""}${/\s/.test(n)?`"${n}"`:n}`).join(" ")}function Ql(e){let t={status:[]},n=[];for(let{field:o,value:r}of e)!o||o==="tool"?n.push(r):o==="status"?t.status.push(...r==="open"?br:r.split(",")):t[Jl[o]]=r;return{...t,text:n.join(" ")}}function Zl(e,t){let n=e.filter(r=>r.field!==t.field||r.value!==t.value);if(n.length<e.length)return n;let o=t.field==="status"||t.field==="only";return[...e.filter(r=>!o||r.field!=="status"&&r.field!=="only"),t]}var Jl,F$,br,Yl,yr=T(()=>{Jl={status:"status",agent:"actor",client:"client",task:"task_id",plan:"plan_id",tool:"tool",only:"only",since:"since",until:"until"},F$=["running","blocked","paused","unwinding","completed","failed","cancelled","closed"],br=["running","blocked","paused","unwinding"],Yl=[["status:",`${F$.join(", ")}, or open`],["agent:","the agent that started it"],["client:","claude-code, codex-cli, …"],["task:","the task of the execution"],["tool:","a tool that was called"],["only:","in_doubt, owed, waiting or interrupted"],["since:","2d, 4h or a date; until: too"]]});function en({row:e,selected:t,index:n,onFocus:o}){return i`<div class=${Q("exec",t&&"exec-selected")} role="listitem" data-index=${n}>
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
      <${Mt} row=${e} running=${e.status==="running"&&!e.interrupted} failed=${!!e.failed&&!["running","completed"].includes(e.status)} />
      ${e.total_steps?i`<span class="exec-step cut">${st(e)}${e.step&&e.status!=="completed"?i` · ${e.step}`:null}</span>`:null}
    </span>
    <span class="exec-flags"><${U$} row=${e} /></span>
    <span class="exec-last"><${W$} row=${e} /></span>
  </div>`}function U$({row:e}){let t=e.failed??e.actions?.failed??0;return i`
    ${e.waiting?i`<${ee} tone="waiting" icon="blocked" title="Approvals pending">${e.waiting} pending</${ee}>`:null}
    ${e.in_doubt?i`<${ee} tone="doubt" icon="in_doubt" title="Actions with an unknown outcome">${e.in_doubt} in doubt</${ee}>`:null}
    ${t?i`<${ee} tone="failed" icon="failed" title="Actions that failed">${t} failed</${ee}>`:null}
    ${e.owed?i`<${ee} tone="undo" icon="owed" title="Somebody still has to undo this">${e.owed} owed</${ee}>`:null}
  `}function W$({row:e}){return e.interrupted?i`<span class="quiet" title=${`last worked on by ${e.interrupted_by||"a session"} (${e.last_session})`}><${N} at=${e.interrupted} lead="left " /></span>`:e.status!=="running"&&e.status!=="unwinding"?i`<${N} at=${br.includes(e.status)?e.last:e.ended||e.last} />`:i`<${K$} at=${e.last} />`}function K$({at:e}){let t=ve()-Date.parse(e)>H$;return i`<span class=${t?"quiet":null}><${N} at=${e} lead=${t?"quiet for ":""} /></span>`}function ec({group:e,count:t,by:n,more:o}){return i`<div class="exec-group" role="listitem">
    <strong>${e||`no ${n}`}</strong><span class="faint">${t}${o?"+":""}</span>
  </div>`}var H$,Co=T(()=>{k();z();j();yr();H$=12e4});function Bn(e,t){if(!e)return{text:"no time limit",urgency:"none",next:1/0};let n=Date.parse(e)-t;if(n<=0)return{text:"expired",urgency:"over",next:1/0};let o=n<=rm?"soon":"calm",[r,s]=sm.find(([,c])=>n>=2*c)??["s",1e3],a=s===1e3,l=a?Math.ceil(n/s):Math.floor(n/s);return{text:`${l} ${r} left`,urgency:o,next:a?n-(l-1)*s:n-l*s+1}}function sc(e){let t=n=>n.expires?Date.parse(n.expires):1/0;return e.toSorted((n,o)=>(t(n)===t(o)?0:t(n)-t(o))||(n.id<o.id?-1:1))}var sm,rm,Oo=T(()=>{sm=[["d",864e5],["h",36e5],["min",6e4]],rm=10*6e4});function $c(){return Le(e=>{e?.kind==="approval_requested"&&fc()&&!document.hasFocus()&&mm(e)}),null}function mm(e){let t=typeof e.body?.question=="string"?e.body.question:"An agent has a question.",n=new Notification(_e(t.slice(0,200)),{body:`${_e(e.facts?.tool||e.actor)} is waiting for you`,tag:e.id});n.onclick=()=>{window.focus(),ae(x(`/approvals/${e.id}`)),n.close()}}function mc(){let[e,t]=h(fc);return pc()?i`<${v} icon="bell" pressed=${e} onClick=${async()=>{if(e)return localStorage.removeItem(wr),t(!1);if(await Notification.requestPermission()!=="granted")return ye("The browser does not allow notifications. Change its settings for this site.","failed");localStorage.setItem(wr,"yes"),t(!0)}}>Notify me<//>`:null}var wr,pc,fc,kr=T(()=>{k();Z();z();Ue();kn();Ke();wr="tallystick.notify",pc=()=>"Notification"in window&&window.isSecureContext,fc=()=>localStorage.getItem(wr)==="yes"&&pc()&&Notification.permission==="granted"});function wc({approvals:e,onVerdict:t,onClear:n}){return i`<div class="batch-bar" role="region" aria-label="Selected questions">
    <strong>${e.length} selected</strong>
    <${v} kind="primary" icon="check" onClick=${()=>t("approve")}>Accept<//>
    <${v} icon="close" onClick=${()=>t("reject")}>Reject<//>
    <${v} kind="ghost" onClick=${n}>Clear<//>
  </div>`}function kc({approvals:e,verdict:t,onClose:n}){let[o,r]=h(""),[s,a]=h({}),[l,c]=h(!1),[d]=h(()=>Object.fromEntries(e.map(b=>[b.id,Xt()]))),u=t==="approve",p=Object.keys(s).length,f=()=>n(Object.values(s).filter(b=>b.ok).map(b=>b.id)),$=async b=>{b.preventDefault(),c(!0);for(let g of e){let M={verdict:t,...o.trim()?{reason:o.trim()}:{}},w=await Pm(g.id,M,d[g.id]);a(y=>({...y,[g.id]:w}))}};return i`<${Qe} wide title=${`${u?"Accept":"Reject"} ${e.length} questions`} onClose=${f}>
    <form class="batch" onSubmit=${$}>
      <p class="soft">Each question is decided separately, and bound to its own exact arguments. If one fails, the others are still decided.</p>
      <ul class="batch-rows">
        ${e.map(b=>i`<li key=${b.id}>
          <div class="batch-question">
            <span><${m} text=${b.question} /></span>
            ${b.tool&&i`<pre class="batch-call" tabindex="0"><${m} text=${b.tool} /> <${Re} text=${Ze(b.arguments??{})} /></pre>`}
          </div>
          <${jm} outcome=${s[b.id]} sent=${l} />
        </li>`)}
      </ul>
      ${l?i`<p role="status">${p<e.length?`Deciding ${p+1} of ${e.length}…`:qm(s)}</p>
            <${v} kind="primary" disabled=${p<e.length} onClick=${f}>Close<//>`:i`<label class="field"><span>One reason for all</span>
              <input type="text" value=${o} maxlength="2000" onInput=${b=>r(b.target.value)} /></label>
            <div class="verdict-send">
              <${v} kind=${u?"primary":"danger"} type="submit" icon=${u?"check":"close"}>
                ${u?"Accept":"Reject"} all ${e.length}
              <//>
              <${v} kind="ghost" onClick=${f}>Not yet<//>
            </div>`}
    </form>
  <//>`}function jm({outcome:e,sent:t}){return e?i`<span class=${`batch-outcome tone-${e.ok?"ok":"failed"}`}>
    <${S} name=${e.ok?"check":"warning"} /> ${e.ok?At(e.status):e.problem}
  </span>`:i`<span class="batch-outcome faint">${t?"waiting":""}</span>`}function qm(e){let t=Object.values(e),n=t.filter(o=>o.ok).length;return n===t.length?`All ${n} were decided.`:`${n} of ${t.length} were decided; the others show the reason.`}var Pm,Sc=T(()=>{V();k();te();j();je();Yt();En();Pm=xo({get:E,post:Te})});function Lt(e,t){return e.status==="pending"&&Bn(e.expires??"",t).urgency==="over"?"expired":e.status}function Lo({expires:e=""}){let t=be("zone"),{text:n,urgency:o}=Bn(e,ve());return o==="none"?i`<span class="expiry faint">${n}</span>`:i`<time class=${`expiry expiry-${o}`} dateTime=${e} title=${`expires ${Gt(e,t)}`}>
    <${S} name=${o==="soon"?"warning":"late"} size=${14} /> ${n}
  </time>`}var Ro=T(()=>{k();te();$t();et();Oo()});function Tc({approval:e}){let{data:t}=P({by:[e.id],kinds:["body_erased"]},s=>zm(e,s));if(!t||!e.execution_id)return null;let{why:n,plan:o,actions:r}=t;return i`<aside class="background" aria-label="Background">
    ${n&&i`<section><h3>Why it is asked</h3><p><${m} text=${n} /></p></section>`}
    ${o&&(o.reasoning||o.goal)&&i`<section><h3>The plan</h3>
      <p><a href=${x(`/plans/${o.id}`)}><${m} text=${o.title||o.id} /></a></p>
      ${o.goal&&i`<p class="soft">Goal: <${m} text=${o.goal} /></p>`}
      ${o.reasoning&&i`<p class="soft">Reason: <${m} text=${o.reasoning} /></p>`}
      ${o.reason&&i`<p class="soft">Revised: <${m} text=${o.reason} /></p>`}</section>`}
    <section><h3>Done before</h3>
      ${r.length?i`<ol class="background-actions">${r.map(s=>i`<li key=${s.id}>
            <a href=${x(`/x/${e.execution_id}`,{action:s.id})}><${m} text=${Nl(s)} /></a>
            <span class="background-state"><${W} state=${s.state} quiet /><span class="faint"><${N} at=${s.begun} /></span></span>
          </li>`)}</ol>`:i`<p class="soft">Nothing was recorded before the question.</p>`}</section>
  </aside>`}async function zm(e,t){let n=e.execution_id;if(!n)return{why:"",plan:null,actions:[]};let[o,r,s]=await Promise.all([Fm(e,t),e.plan_id?E(`/v1/plans/${encodeURIComponent(e.plan_id)}`,{},{signal:t}).catch(()=>null):null,E("/v1/actions",{execution_id:n,until:e.asked,newest_first:!0,limit:Bm},{signal:t})]),a=r?.revisions?.reduce((l,c)=>c.revision>l.revision?c:l);return{why:o,plan:a||null,actions:s.actions}}async function Fm(e,t){let o=(await E("/v1/entries",{id:e.id,execution_id:e.execution_id,limit:1},{signal:t})).entries[0]?.seq;if(!o)return"";let s=(await E("/v1/entries",{execution_id:e.execution_id,after:o,limit:1},{signal:t})).entries[0];return s?.facts?.approval_id===e.id&&s.body?.why||""}var Bm,Ec=T(()=>{V();dr();k();Z();z();j();Bm=5});function Ac(e){let t=e.failure_policy??"manual_decision";return typeof t=="string"?{action:t,reason:"",to:[]}:{action:t.action??"manual_decision",reason:t.reason??"",to:t.propagate_to??[]}}function Do(e){return e?typeof e=="string"?{words:e,tool:""}:e.words||e.tool?{words:e.words??"",tool:e.tool??"",arguments:e.arguments}:null:null}function Oc(e,t){let n=new Map(e.map((a,l)=>[a.id,l])),o=t.filter(a=>n.has(a.id)).map(a=>a.id),r=e.filter(a=>t.some(l=>l.id===a.id)).map(a=>a.id),s=t.map(a=>{let l=n.get(a.id);if(l===void 0)return{id:a.id,change:"added",after:a,fields:[]};let c=uo(e[l],a),d=[...new Set(c.map(f=>po(f.path.slice(0,1))))],u=o.indexOf(a.id)!==r.indexOf(a.id),p=d.length?"changed":u?"moved":"same";return{id:a.id,change:p,before:e[l],after:a,fields:d}});return e.forEach((a,l)=>{if(t.some(u=>u.id===a.id))return;let c=e.slice(l+1).find(u=>s.some(p=>p.id===u.id)),d=c?s.findIndex(u=>u.id===c.id):s.length;s.splice(d,0,{id:a.id,change:"removed",before:a,fields:[]})}),s}function Ic(e,t){return["title","goal","reasoning"].filter(n=>(e[n]??"")!==(t[n]??"")).map(n=>({name:n,before:e[n]??"",after:t[n]??""}))}var Mc,Cc,Po=T(()=>{fo();Mc={reversible:{word:"reversible",icon:"unwinding",tone:"ok"},"partially-reversible":{word:"partly reversible",icon:"owed",tone:"doubt"},irreversible:{word:"irreversible",icon:"cancelled",tone:"failed"}},Cc={cancel_all:"cancel all",cancel_dependent:"cancel dependent steps",continue_others:"continue other steps",manual_decision:"a person or agent decides"}});function Nc({steps:e,chosen:t=""}){return i`<ol class="steps">
    ${e.map((n,o)=>i`<li key=${n.id} id=${`step-${n.id}`} class=${n.id===t?"is-chosen":null}>
      <span class="step-number num" aria-hidden="true">${o+1}</span>
      <div class="step-body"><${Er} step=${n} /></div>
    </li>`)}
  </ol>`}function Er({step:e}){return i`
    <div class="step-head">
      <h3><${m} text=${e.title||e.id} /></h3>
      <code class="soft"><${m} text=${e.id} /></code>
      <span class="step-end">
        ${e.needs_approval&&i`<${ee} tone="waiting" icon="person">needs approval<//>`}
        <${Mr} step=${e} />
      </span>
    </div>
    <dl class="step-facts">
      ${e.tool&&i`<div><dt>tool</dt><dd><code><${m} text=${e.tool} /></code> <span class="soft">${e.effect??"unsafe"}</span></dd></div>`}
      <div><dt>after</dt><dd>${e.after?.length?e.after.map((t,n)=>i`${n?", ":""}<a href=${`#step-${t}`} data-native><${m} text=${t} /></a>`):i`<span class="faint">nothing</span>`}</dd></div>
      <div><dt>undo</dt><dd><${Hm} step=${e} /></dd></div>
      <div><dt>if it fails</dt><dd><${Um} step=${e} /></dd></div>
      <div><dt>estimate</dt><dd>${e.estimate===void 0||e.estimate===null?i`<span class="faint">none</span>`:pe(e.estimate*1e3)}</dd></div>
      ${e.probe?i`<div><dt>probe</dt><dd><${m} text=${typeof e.probe=="string"?e.probe:e.probe.words||e.probe.tool} /></dd></div>`:null}
    </dl>
    ${e.arguments&&Object.keys(e.arguments).length?i`<details class="step-arguments"><summary>Arguments</summary><${re} value=${e.arguments} label=${`arguments of ${e.id}`} whole /></details>`:null}`}function Mr({step:e}){let{word:t,icon:n,tone:o}=Mc[e.cancellable]??{word:e.cancellable,icon:"planned",tone:"idle"};return i`<${ee} tone=${o} icon=${n}>${t}<//>`}function Hm({step:e}){let t=Do(e.undo),n=e.undo_until?i` <span class="soft">until ${e.undo_until} after its end</span>`:null;return t?i`<${m} text=${t.words} />${t.tool&&i` <code><${m} text=${t.tool} /> ${t.arguments&&i`<${m} text=${ne(t.arguments)} />`}</code>`}${n}`:e.effect==="read"?i`<span class="faint">it only reads</span>`:e.cancellable==="irreversible"?i`<span class="faint">cannot be undone</span>`:i`<span class="step-warning"><${S} name="warning" size=${14} /> no undo recorded</span>`}function Um({step:e}){let{action:t,reason:n,to:o}=Ac(e);return i`${Cc[t]??t}${o.length?i` (<${m} text=${o.join(", ")} />)`:null}${n&&i` <span class="soft">because <${m} text=${n} /></span>`}`}var jo=T(()=>{k();te();Ne();j();Po()});function qc(e){let t=jc(e);return Gm.test(t)?"switch":Jm.test(t)?"amount":Ym.test(t)?"target":""}function Xm(e,t){return/^dry_?run$/.test(jc(e))?t===!0?"a rehearsal":t===!1?"not a rehearsal":"":t===!0?"is on":""}function Or(e){let t={first:[],plain:[],lists:[],nested:[]};if(!Rt(e)||Array.isArray(e))return Array.isArray(e)&&t.lists.push(["arguments",e]),t;for(let[n,o]of Object.entries(e))Array.isArray(o)&&o.length?t.lists.push([n,o]):Rt(o)&&Object.keys(o).length?t.nested.push([n,o]):Bc(t,[n],o);for(let[n,o]of t.nested)zc(t,[n],o);return t.first.sort((n,o)=>Lc.indexOf(n.danger)-Lc.indexOf(o.danger)),t}function Bc(e,t,n){let o=t[t.length-1],r=qc(o),s={path:t,value:n,danger:r,note:r==="switch"?Xm(o,n):""};(r?e.first:e.plain).push(s)}function zc(e,t,n){if(!(!Rt(n)||Array.isArray(n)||t.length>=Wm))for(let[o,r]of Object.entries(n))Rt(r)?zc(e,[...t,o],r):qc(o)&&Bc(e,[...t,o],r)}function Hc(e){return e.length>1&&e.every(n=>Rt(n)&&!Array.isArray(n))?[...new Set(e.flatMap(n=>Object.keys(n)))]:[]}function Ir(e){let t=e.map(r=>typeof r=="number"||r instanceof Se?String(r):"");if(t.every(r=>Qm.test(r)))return Zm(t);let n=new Map;for(let r of e){let s=ne(r,{sorted:!0});n.set(s,(n.get(s)||0)+1)}if(n.size===1)return`the same in all ${e.length}: ${Cr([...n.keys()][0])}`;if(n.size<=Vm)return[...n].map(([r,s])=>`${s} × ${Cr(r)}`).join(", ");let o=[...n.values()].filter(r=>r>1).length;return`${n.size} different${o?`, ${o} of them more than once`:""}`}function Zm(e){let t=Math.max(...e.map(l=>(l.split(".")[1]||"").length)),n=e.map(l=>BigInt(l.replace(".","")+"0".repeat(t-(l.split(".")[1]||"").length))),o=n.toSorted((l,c)=>l<c?-1:l>c?1:0),[r,s]=[o[0],o[o.length-1]].map(l=>Rc(l,t)),a=Rc(n.reduce((l,c)=>l+c,0n),t);return`${r===s?`each ${r}`:`${r} to ${s}`}, together ${a}`}function Rc(e,t){let n=String(e<0n?-e:e).padStart(t+1,"0"),o=t?`${n.slice(0,-t)}.${n.slice(-t)}`:n;return e<0n?`-${o}`:o}function Uc(e,t){let{first:n,plain:o,lists:r,nested:s}=Or(t),a=new Set(s.map(([u])=>u)),l=[...n,...o].map(({path:u,value:p})=>`${u.map(Oe).join(".")} ${Cr(ne(p))}`),c=[...a].filter(u=>!n.some(({path:p})=>p[0]===u));return[/\s/.test(e)?JSON.stringify(e):e,...l,...r.map(([u,p])=>`${p.length} ${Oe(u)}`),...c.map(u=>`${Oe(u)} {…}`)].filter(Boolean).join(" · ")}function Wc(e,t){let n=Ar(e,t);return{undo:n,waits:th.test(typeof n=="string"?n:ne(n??null))}}function Ar(e,t){if(Array.isArray(e))return e.map(o=>Ar(o,t));if(Rt(e))return Object.fromEntries(Object.entries(e).map(([o,r])=>[o,Ar(r,t)]));if(typeof e!="string")return e;let n=e.match(/^\$\{arguments((?:\.[^.{}]+)+)\}$/);return n?Pc(n[1],t)??e:e.replace(eh,(o,r)=>{let s=Pc(r,t);return s===void 0?o:typeof s=="string"?s:ne(s)})}function Pc(e,t){for(let n of e.split(".").slice(1)){if(!Rt(t)||!Object.hasOwn(t,n))return;t=t[n]}return t===null||typeof t=="string"&&t.startsWith("[masked")?void 0:t}var Wm,Km,Vm,Gm,Jm,Ym,jc,Rt,Lc,Fc,Qm,Dc,Cr,eh,th,Nr=T(()=>{ct();Ne();Ke();Wm=4,Km=8,Vm=3,Gm=/^(dry_?run|forced?|recursive|overwrite|confirm(ed)?|yes|all|permanent(ly)?|hard|purge|cascade|prune|wipe|unsafe|insecure|public|sudo|privileged|auto_?approve|(no|skip|allow|ignore|delete|disable)_\w+)$/,Jm=/(^|_)(amount|total|sum|price|cost|fee|budget|currency|quantity|count|limit|max|percent|rate|days|replicas)$/,Ym=/(^|_)(to|target|destination|dest|recipients?|host(name)?|server|ur[li]|path|file(name)?|dir(ectory)?|folder|bucket|branch|env(ironment)?|region|cluster|namespace|database|db|table|account|user|email|role|project|tenant|domain|channel|command|cmd|query|sql|script)$/,jc=e=>e.replace(/([a-z0-9])([A-Z])/g,"$1_$2").replace(/[\s.-]+/g,"_").toLowerCase(),Rt=e=>typeof e=="object"&&e!==null&&!(e instanceof Se);Lc=["switch","amount","target"];Fc=e=>e.length>Km;Qm=/^-?\d+(?:\.\d+)?$/;Dc=40,Cr=e=>e.length>Dc?`${e.slice(0,Dc)}…`:e;eh=/\$\{arguments((?:\.[^.{}]+)+)\}/g,th=/\$\{result[^{}]*\}/});function Vc({approval:e}){let t=e.arguments,n=t==null||!Object.keys(t).length;return i`<${D} class="call" level=${3} actions=${e.cancellable&&i`<${Mr} step=${e} />`} title=${i`${e.unbound?"A call of":"Exactly this call:"} <code><${m} text=${e.tool||"unnamed tool"} /></code>`}>
    ${n?i`<p class="soft">No arguments.</p>`:i`<${oh} value=${t} />`}
    <${dh} approval=${e} />
    ${e.digest&&!e.edited&&i`<p class="soft digest">An answer is bound to this call by its digest <code>${e.digest.slice(0,16)}…</code><${ge} text=${e.digest} what="the digest" /></p>`}
  <//>`}function oh({value:e}){let{first:t,plain:n,lists:o,nested:r}=Or(e),s=ne(e).includes("[masked:");return i`<div class="call-arguments" role="group" aria-label="Arguments">
    ${t.length?i`<div class="call-first"><h4>Check first</h4><${Kc} fields=${t} /></div>`:null}
    ${n.length?i`<${Kc} fields=${n} />`:null}
    ${r.map(([a,l])=>i`<div class="call-part" key=${a}><h4><code><${m} text=${Oe(a)} /></code></h4><${re} value=${l} label=${a} whole /></div>`)}
    ${o.map(([a,l])=>i`<${sh} key=${a} name=${a} list=${l} />`)}
    ${s&&i`<p class="note"><${S} name="warning" size=${14} /> A secret is masked here. The call is bound to the real value, which nobody can read.</p>`}
    <${ch} value=${e} />
  </div>`}function Kc({fields:e}){return i`<dl class="call-fields">
    ${e.map(({path:t,value:n,danger:o,note:r})=>i`<div key=${t.join(".")} class=${o==="switch"?"call-field is-switch":"call-field"}>
      <dt><code><${m} text=${t.map(Oe).join(".")} /></code></dt>
      <dd><${Vt} value=${n} />${r&&i` <span class="call-note"><${S} name="warning" size=${14} /> ${r}</span>`}</dd>
    </div>`)}
  </dl>`}function sh({name:e,list:t}){let[n,o]=h(""),[r,s]=h(!1),a=Ee(),l=Fc(t),c=t.map((f,$)=>({value:f,at:$})).filter(({value:f})=>!n||rh(f).includes(n.toLowerCase())),d=r||!l?c:c.slice(0,nh),u=Hc(t),p=c.length-d.length;return i`<section class="call-part call-list" aria-labelledby=${a}>
    <h4 id=${a}><code><${m} text=${Oe(e)} /></code> <span class="call-count">${t.length} ${t.length===1?"item":"items"}</span></h4>
    ${l&&i`<${ih} list=${t} columns=${u} />`}
    ${l&&i`<label class="call-filter"><span class="visually-hidden">Filter ${e}</span>
      <input type="search" placeholder=${`Filter the ${t.length} items`} value=${n} onInput=${f=>o(f.target.value)} /></label>`}
    ${u.length?i`<${ah} name=${e} rows=${d} columns=${u} />`:i`<${lh} rows=${d} />`}
    ${l&&i`<p class="call-more" role="status">
      ${n?`${c.length} of ${t.length} match. `:""}${p>0?i`<strong>${p} more ${p===1?"item is":"items are"} not shown.</strong> `:`All ${c.length} are shown.`}
      ${p>0&&i`<button type="button" class="button button-plain" onClick=${()=>s(!0)}>Show all ${c.length}</button>`}
    </p>`}
  </section>`}function ih({list:e,columns:t}){return t.length?i`<dl class="call-summary">${t.map(n=>{let o=e.filter(s=>Object.hasOwn(s,n)).map(s=>s[n]),r=e.length-o.length;return i`<div key=${n}><dt><code><${m} text=${Oe(n)} /></code></dt><dd><${m} text=${`${Ir(o)}${r?`, missing in ${r}`:""}`} /></dd></div>`})}</dl>`:i`<p class="call-summary"><${m} text=${Ir(e)} /></p>`}function ah({name:e,rows:t,columns:n}){return i`<div class="table-scroll" tabindex="0" role="region" aria-label=${`Items of ${e}`}>
    <table class="table call-table">
      <thead><tr><th scope="col">item</th>${n.map(o=>i`<th scope="col"><code><${m} text=${Oe(o)} /></code></th>`)}</tr></thead>
      <tbody>${t.map(({value:o,at:r})=>i`<tr key=${r}><th scope="row" class="num">${r+1}</th>
        ${n.map(s=>i`<td>${Object.hasOwn(o,s)?i`<${Gc} value=${o[s]} />`:i`<span class="faint">missing</span>`}</td>`)}</tr>`)}</tbody>
    </table>
  </div>`}function lh({rows:e}){return i`<ol class="call-items">${e.map(({value:t,at:n})=>i`<li key=${n}><span class="faint num">${n+1}</span> <${Gc} value=${t} /></li>`)}</ol>`}function Gc({value:e}){return typeof e=="object"&&e!==null&&!(e instanceof Se)?i`<code class="call-json"><${Re} text=${ne(e)} /></code>`:i`<${Vt} value=${e} />`}function ch({value:e}){let[t,n]=h(!1),o=ne(e,{indent:2});return i`<details class="call-whole" onToggle=${r=>n(r.target.open)}>
    <summary>All arguments as JSON <span class="faint">${o.length} characters</span></summary>
    ${t&&i`<pre class="text" tabindex="0"><${Re} text=${o} /></pre>`}
  </details>`}function dh({approval:e}){if(!e.cancellable)return null;let{undo:t,waits:n}=Wc(e.undo,e.arguments),o=Do(t);return i`<div class="call-undo">
    <p>${e.cancellable==="irreversible"?i`<span class="soft">It cannot be undone.</span>`:o?i` <span class="soft">To undo it:</span> <${m} text=${o.words} />${o.tool&&i` <code><${m} text=${o.tool} /></code>`}`:i` <span class="soft">No undo is recorded.</span>`}</p>
    ${o?.tool&&o.arguments&&Object.keys(o.arguments).length?i`<${re} value=${o.arguments} label="arguments of the undo" whole />`:null}
    ${n&&i`<p class="soft">A part of it, written <code>\${result…}</code>, is known after the call.</p>`}
  </div>`}var nh,rh,Jc=T(()=>{k();te();ct();Ne();jo();Po();j();xn();je();Ke();Nr();nh=8;rh=e=>(typeof e=="string"?e:ne(e)).toLowerCase()});function Xc({approval:e,onChoose:t,last:n=""}){let{options:o=[]}=e,r=C(null);_(()=>{n&&r.current?.querySelector(`.verdict-${n}`)?.focus()},[]);let s=a=>{ws(nn(e),{...$n(nn(e)),verdict:"respond",answer:a}),t("respond")};return i`<div class="verdict-bar" ref=${r}>
    ${o.length?i`<div class="verdict-options" role="group" aria-label="Offered by the agent">
          <span class="soft">${rt(e)?"Answer without granting the call:":"Answer:"}</span>
          ${o.map(a=>i`<${v} key=${a} kind=${rt(e)?"plain":"primary"} class="verdict-option" onClick=${()=>s(a)}><${m} text=${a} /><//>`)}
        </div>`:null}
    <div class="verdicts" role="group" aria-label="Answer" tabindex="-1">
      ${Object.entries(Tn).filter(([a])=>Lr(e,a)).map(([a,{verb:l,key:c}])=>i`<${v}
          key=${a} kind=${a==="approve"?"primary":"plain"} icon=${Yc[a]}
          class=${`verdict verdict-${a}`} aria-keyshortcuts=${c} onClick=${()=>t(a)}
        >${l}<//>`)}
    </div>
  </div>`}function Lr(e,t){return t==="edit"?rt(e):t!=="approve"||rt(e)||!!e.step||!e.options?.length}function Qc(e){let{verdict:t=""}=$n(nn(e));return t in Tn?t:""}function Zc({approval:e,verdict:t,decide:n,onSend:o,onDone:r,onCancel:s}){let a=ua(Ze(e.arguments??{})),[l,c,d]=eo(nn(e),{reason:"",answer:"",text:a,key:"",sent:""}),[u,p]=h(!1),[f,$]=h(!1),b=C(null),g=Ee(),M=qa(e,t,l),w="problem"in M?M:null,y=A=>Y=>c({verdict:t,[A]:Y.target.value});_(()=>{let A=matchMedia("(pointer: coarse)").matches&&t!=="edit";b.current?.querySelector(A?"[type=submit]":"textarea, input")?.focus({preventScroll:!0})},[t]);let O=async A=>{if(A.preventDefault(),p(!0),w||f)return;$(!0),o?.();let{body:Y}=M,le=ne(Y),H=l.sent===le&&l.key?l.key:Xt();c({verdict:t,sent:le,key:H});let K=await n(e.id,Y,H);K.ok&&d(),$(!1),r(K)},I=()=>(c({verdict:""}),s());return i`<form class="verdict-form" ref=${b} onSubmit=${O} onKeyDown=${A=>{A.key==="Escape"&&(A.stopPropagation(),I()),A.key==="Enter"&&(A.metaKey||A.ctrlKey)&&O(A)}} aria-labelledby=${`${g}-title`}>
    <h3 id=${`${g}-title`}>${uh[t]}</h3>
    ${t==="edit"&&i`<${fh} approval=${e} text=${l.text} onInput=${y("text")} />`}
    ${t==="respond"&&i`<${$h} approval=${e} value=${l.answer} onInput=${y("answer")} onPick=${A=>c({verdict:t,answer:A})} />`}
    <label class="field">
      <span>Reason <span class="faint">recorded in the journal, and shown to the agent</span></span>
      <input type="text" value=${l.reason} onInput=${y("reason")} autocomplete="off" maxlength="2000" />
    </label>
    <p class="field-problem" role="alert">${u&&w?w.problem:""}</p>
    <div class="verdict-send">
      <${v} kind=${t==="reject"?"danger":"primary"} type="submit" disabled=${f} icon=${Yc[t]}>${ph[t]}<//>
      <${v} kind="ghost" onClick=${I}>Not yet<//>
    </div>
  </form>`}function fh({approval:e,text:t,onInput:n}){let o=Ee(),r=nr(t),s=ne(e.arguments??{}).includes("[masked:");return i`<div class="editor">
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
  </div>`}function $h({approval:e,value:t,onInput:n,onPick:o}){return i`
    ${e.options?.length?i`<${oe} label="Suggested answers" value=${t} choices=${e.options.map(r=>[r,i`<${m} text=${r} />`])} onChange=${o} />`:null}
    <label class="field">
      <span>Answer <span class="faint">shown to the agent; it grants no call</span></span>
      <textarea rows="3" value=${t} onInput=${n} required></textarea>
    </label>`}var Yc,rt,nn,uh,ph,Rr=T(()=>{Bt();k();te();Ne();Ue();Us();xn();je();Ke();Yt();En();Yc={approve:"check",edit:"edit",reject:"close",respond:"reply"};rt=e=>!!(e.tool||e.arguments);nn=e=>Qn("approval",e.id,e.asked);uh={approve:"Grant exactly what is shown above",edit:"Grant other arguments instead",reject:"Reject the call",respond:"Answer the agent without granting a call"},ph={approve:"Accept exactly this",edit:"Grant the edited call",reject:"Reject it",respond:"Send the answer"}});function ed({approval:e,mayDecide:t,verdict:n,onVerdict:o,onSend:r,onDone:s,rejection:a}){let l=Lt(e,ve()),c=l==="pending";return i`<article class="question" aria-labelledby="question-title">
    <header class="question-head">
      <div class="question-line">
        <${W} state=${l} />
        ${e.status==="pending"&&i`<${Lo} expires=${e.expires} />`}
        <span class="question-handle"><${We} id=${e.id} /></span>
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
        ${rt(e)?i`<${Vc} approval=${e} />`:!e.unbound&&i`<p class="note">It asks in words only: an answer grants no call.</p>`}
        ${e.unbound&&i`<p class="warning-note"><${S} name="warning" /> This approval is not bound to an exact call. It grants <${m} text=${e.unbound} />.</p>`}
        ${e.options?.length&&!(c&&t)?i`<p class="soft">Suggested answers: ${e.options.map((d,u)=>i`${u?", ":""}<strong><${m} text=${d} /></strong>`)}</p>`:null}
        ${c?null:i`<${gh} approval=${e} status=${l} />`}
        <${bh} approval=${e} />
      </div>
      <${Tc} approval=${e} />
    </div>
    <div class=${Q("dock",c&&"dock-pending")}>
      ${a&&i`<p class="warning-note" role="alert"><${S} name="warning" /> ${a}</p>`}
      ${c&&i`<${hh} approval=${e} mayDecide=${t} verdict=${n} onVerdict=${o} onSend=${r} onDone=${s} />`}
    </div>
  </article>`}function hh({approval:e,mayDecide:t,verdict:n,onVerdict:o,onSend:r,onDone:s}){let a=C(""),l=C(null),c=C(!1);return _(()=>{t&&c.current&&!n&&l.current?.querySelector(".verdicts")?.focus(),c.current=t===!1},[t]),n&&(a.current=n),ke()?i`<p class="note"><${S} name="import" /> This is an imported export: nothing can be decided in it.</p>`:t===null?null:t?i`<div class=${Q("answering",n&&"is-open")} ref=${l}>
    ${rt(e)&&i`<p class="dock-call" title="The call in short; above, all of it"><${m} text=${Uc(e.tool||"",e.arguments)} /></p>`}
    ${n?i`<${Zc} key=${e.id+n} approval=${e} verdict=${n} decide=${mh} onSend=${r} onDone=${s} onCancel=${()=>o("")} />`:i`<div class="answering-bar">
          <${Xc} approval=${e} onChoose=${o} last=${a.current} />
          <p class="soft answering-note">${e.expires?"After the time limit it expires: a timeout is never a yes.":"There is no time limit. Silence is never a yes."}</p>
        </div>`}
  </div>`:i`${n&&i`<p class="note" role="status"><${S} name="save" /> What you typed is kept in this browser.</p>`}<${Je} />`}function gh({approval:e,status:t}){return t==="expired"?i`<p class="note">
      <${S} name="late" /> It expired <${N} at=${e.expires??""} /> without an answer. A timeout is never a
      yes: nothing was granted, and the agent has to ask again.
    </p>`:t==="closed"?i`<p class="note"><${S} name="late" /> Its execution ended without an answer. Nothing was granted.</p>`:i`<${D} level=${3} title="Answer">
    <${Ie} rows=${[["by",e.decided_by&&i`<${m} text=${e.decided_by} />`],["in",e.answered_in&&i`<${m} text=${e.answered_in} />`],["when",i`<${N} at=${e.decided??""} form="absolute" />`],["reason",e.reason&&i`<${m} text=${e.reason} />`],["answer",e.answer&&i`<${m} text=${e.answer} />`],["used by",e.used_by&&i`<a href=${x(`/x/${e.execution_id}`,{action:e.used_by})}><code>${e.used_by}</code></a>`],["used",!e.used_by&&(t==="approve"||t==="edit")?"not yet: valid for one call":""]]} />
    ${e.edited!==void 0&&e.edited!==null?i`<h4>Granted instead</h4>
          <${qe} before=${e.arguments??{}} after=${e.edited} titles=${["asked","granted"]} />`:null}
  <//>`}function bh({approval:e}){let[t,n]=h(!1);return _(()=>n(!1),[e.id]),i`<details class="evidence" open=${t} onToggle=${o=>n(o.target.open)}>
    <summary>Entries in the journal</summary>
    ${t&&i`<${yh} approval=${e} />`}
  </details>`}function yh({approval:e}){let{data:t}=P({by:[e.id,e.status],kinds:["approval_"]},n=>E("/v1/entries",{id:e.id,execution_id:e.execution_id,newest_first:!0,limit:10},{signal:n}));return t?i`<ul class="evidence-rows">
    ${t.entries.toReversed().map(n=>i`<li key=${n.seq}>
      <a href=${x(`/x/${e.execution_id}`,{tab:"journal",entry:n.seq})}>entry ${n.seq}</a>
      <span>${n.kind==="approval_requested"?"asked":"answered"} by <${m} text=${n.facts?.credential||n.actor} /></span>
      <${N} at=${n.at} form="absolute" />
      ${n.facts?.effect_key&&i`<span class="digest">digest <code>${n.facts.effect_key.slice(0,16)}…</code><${ge} text=${n.facts.effect_key} what="the digest" /></span>`}
    </li>`)}
  </ul>`:i`<p class="loading">Loading…</p>`}var mh,td=T(()=>{V();k();te();Z();z();j();$t();Ec();Jc();Nr();Qt();En();Ro();Rr();mh=xo({get:E,post:Te})});function nd({label:e,approvals:t,chosen:n,now:o,marked:r,onMark:s}){let a=C(null);return _(()=>a.current?.querySelector(".is-chosen")?.scrollIntoView({block:"nearest"}),[n]),i`<ul class="questions" ref=${a} aria-label=${e}>
    ${t.map(l=>{let c=Lt(l,o),d=l.id===n;return i`<li key=${l.id} class=${Q("question-row",d&&"is-chosen")}>
        ${r&&i`<label class="question-mark">
          <input type="checkbox" checked=${r.has(l.id)} disabled=${c!=="pending"} onChange=${()=>s?.(l.id)} />
          <span class="visually-hidden">Select “${_e(l.question||l.id)}”</span>
        </label>`}
        <a href=${x(`/approvals/${l.id}`,_h())} aria-current=${d?"true":null}>
          <span class="question-text"><${m} text=${l.question||l.id} /></span>
          <span class="question-about">
            ${l.tool?i`<code><${m} text=${l.tool} /></code>`:i`<span class="faint">a question</span>`}
            <span class="soft cut">${l.actor?i`<${m} text=${l.actor} />, `:null}<${N} at=${l.asked} /></span>
            <span class="question-state">
              ${c==="pending"?i`<${Lo} expires=${l.expires} />`:i`<${W} state=${c} quiet />`}
            </span>
          </span>
          ${l.decided&&i`<${xh} approval=${l} />`}
        </a>
      </li>`})}
  </ul>`}function xh({approval:e}){let t=e.answer||e.reason;return i`<span class="question-answered soft">
    <span class="question-verdict">${At(e.status)}</span> by <strong><${m} text=${e.decided_by||e.answered_in||"nobody known"} /></strong>, <${N} at=${e.decided} />${t&&i`: “<${m} text=${t} />”`}
  </span>`}function _h(){let e=new URLSearchParams(location.search);return{tab:e.get("tab"),status:e.get("status"),execution:e.get("execution")}}var od=T(()=>{k();z();js();je();$t();Ke();Yt();Ro()});var rd={};Me(rd,{Page:()=>wh});function wh({id:e="",query:t}){let n=t.get("tab")==="history",o=t.get("status")||"",r=t.get("execution")||"",s={tab:n&&"history",status:o,execution:r},[a,l]=h(Dr),c=P({by:[n,o,r,a],kinds:sd},F=>Sh({past:n,status:o,execution:r,limit:a},F)),d=P({by:[e],kinds:sd},F=>e?E(`/v1/approvals/${encodeURIComponent(e)}`,{},{signal:F}):Promise.resolve(null)),u=Ae(),p=ve(),[f,$]=h(()=>new Set),[b,g]=h(""),[M,w]=h(null),[y,O]=h({id:"",text:""}),I=c.data?.approvals??[],R=Mh(),A=d.data?.id===e?d.data:null,Y=I[0]?.id??"",le=I.filter(F=>f.has(F.id)&&Lt(F,p)==="pending");we(()=>g(A?.status==="pending"?Qc(A):""),[e,A?.id]);let H=C(""),K=A?Lt(A,p):"";_(()=>{!A||!b||K==="pending"||H.current===A.id||(g(""),O({id:A.id,text:yo({},{...A,status:K})}))},[K]),_(()=>{!e&&Y&&(R||r&&I.length===1)&&ae(x(`/approvals/${Y}`,s),{replace:!0})},[R,e,Y,r]);let se=F=>{let jt=I.findIndex(bt=>bt.id===e),ze=I[Math.max(0,Math.min(I.length-1,jt+F))];ze&&ae(x(`/approvals/${ze.id}`,s),{replace:!!e})},de=F=>$(jt=>{let ze=new Set(jt);return ze.delete(F)||ze.add(F),ze}),U=F=>{(F.ok||F.status&&F.status!=="pending")&&(g(""),A&&ks(nn(A))),F.refused&&dt(),H.current=F.ok?F.id:"",O({id:F.id,text:F.problem}),F.ok&&ye(`${F.id}: ${At(F.status)}.`,"ok"),c.reload(),d.reload()},me=A&&K==="pending"&&u.may_decide&&!ke(),De=F=>({label:`${kh[F]} it`,run:()=>g(F)});return fe("Approvals",{j:{label:"Next question",run:()=>se(1)},k:{label:"Previous question",run:()=>se(-1)},a:me&&Lr(A,"approve")&&De("approve"),e:me&&rt(A)&&De("edit"),r:me&&De("reject"),m:me&&De("respond"),x:!n&&!ke()&&A&&{label:"Select it for one answer to several",run:()=>de(A.id)},Escape:{label:"Cancel the answer, or go back to the list",run:()=>b?g(""):e&&ae(x("/approvals",{...s,status:""}))}}),i`<div class=${`approvals ${e?"has-chosen":""}`}>
    <section class="approvals-list" aria-label="Questions">
      <header class="page-head">
        <h1>Approvals</h1>
        <${mc} />
      </header>
      <${_n} label="Which questions" value=${n?"history":"pending"} href=${F=>x("/approvals",{tab:F==="history"&&F})}
        tabs=${[{id:"pending",title:"Pending",count:n?0:I.length,tone:"waiting"},{id:"history",title:"History"}]} />
      ${r&&i`<p class="soft approvals-of">Of <a href=${x(`/x/${r}`)}><${m} text=${I[0]?.title||r} /></a>. <a href=${x("/approvals",{tab:n&&"history"})}>All questions</a></p>`}
      ${n&&i`<${Th} status=${o} />`}
      ${!n&&u.version&&!u.may_decide&&f.size?i`<${Je} />`:null}
      ${le.length>0&&u.may_decide&&i`<${wc} approvals=${le} onVerdict=${F=>w({verdict:F,approvals:le})} onClear=${()=>$(new Set)} />`}
      <${L} problem=${c.problem} retry=${c.reload} />
      ${c.data?I.length?i`<${nd} label=${n?"Answered questions":"Pending questions, the soonest to expire first"}
              approvals=${I} chosen=${e} now=${p} marked=${n||ke()?void 0:f} onMark=${de} />
              ${c.data.more&&i`<${v} onClick=${()=>l(a+Dr)}>Show older<//>`}`:i`<${Eh} past=${n} />`:!c.problem&&i`<${B} />`}
    </section>
    <section class="approvals-one" aria-label="Question">
      ${e&&i`<a class="back" href=${x("/approvals",s)}>All questions</a>`}
      ${e&&i`<${L} problem=${d.problem} retry=${d.reload} />`}
      ${A?i`<${ed} key=${A.id} approval=${A} mayDecide=${u.version?u.may_decide:null} verdict=${b} onVerdict=${g}
            onSend=${()=>H.current=A.id} onDone=${U} rejection=${y.id===A.id?y.text:""} />`:null}
    </section>
    ${M&&i`<${kc} ...${M} onClose=${()=>(w(null),$(new Set),c.reload(),d.reload())} />`}
  </div>`}async function Sh({past:e,status:t,execution:n,limit:o},r){let s=[],a="";do{let l=await E("/v1/approvals",{status:e?t:"pending",execution_id:n,limit:Dr,cursor:a},{signal:r});s.push(...l.approvals.filter(c=>!e||c.status!=="pending")),a=l.next_cursor||""}while(a&&s.length<o);return{approvals:e?s:sc(s),more:!!a}}function Th({status:e}){return i`<nav class="chips" aria-label="Answered how">
    ${vh.map(([t,n])=>i`<a class="chip" href=${x("/approvals",{tab:"history",status:t})} aria-current=${t===e?"true":null}>${n}</a>`)}
  </nav>`}function Eh({past:e}){return e?i`<${q} icon="approvals" title="No answered questions yet." />`:i`<${q} icon="approvals" title="No questions are waiting.">
    <p>When an agent asks (<code>request_approval</code>, <code>ask_human</code>, or a gateway’s policy), the question appears here at
    once, with the exact call and its time limit. Nothing is granted before you answer.</p>
  <//>`}function Mh(){let e="(min-width: 900px)",[t,n]=h(()=>matchMedia(e).matches);return _(()=>{let o=matchMedia(e),r=()=>n(o.matches);return o.addEventListener("change",r),()=>o.removeEventListener("change",r)},[]),t}var Dr,sd,vh,kh,id=T(()=>{Yt();Sc();Oo();Qt();Ro();kr();td();od();Rr();V();Bt();k();Ce();Z();z();Fe();j();$t();Dr=100,sd=["approval_","action_begun","body_erased"],vh=[["","All"],["approve","Accepted"],["edit","With changes"],["reject","Rejected"],["respond","Answered"],["used","Used"],["expired","Expired"],["closed","Closed"]];kh={approve:"Accept",edit:"Edit",reject:"Reject",respond:"Respond to"}});function ad(e,t){let n=C({by:t,rows:[],cursor:""}),[,o]=h(0),r=C(!1),a=P({by:[t]},async u=>{let p=n.current.by===t?Math.min(Math.max(n.current.rows.length,qo),Ch):qo,f=[],$="";do{let b=await E("/v1/executions",{...e,limit:qo,cursor:$},{signal:u});f=f.concat(b.executions),$=b.next_cursor||""}while($&&f.length<p);return n.current=n.current.by===t?Ah(n.current,f,$):{by:t,rows:f,cursor:$},n.current.by=t,n.current}),l=xe(async()=>{let{rows:u,cursor:p}=n.current;if(!(!p||r.current)){r.current=!0;try{let f=await E("/v1/executions",{...e,limit:qo,cursor:p});if(n.current.rows!==u)return;n.current={by:t,rows:u.concat(f.executions),cursor:f.next_cursor||""},o($=>$+1)}finally{r.current=!1}}},[t]),{rows:c,cursor:d}=n.current.by===t?n.current:{rows:[],cursor:""};return{...a,rows:c,all:!d,more:l}}function Ah(e,t,n){let o=t.length?e.rows.findIndex(r=>r.id===t[t.length-1].id):-1;return!n||o<0||o===e.rows.length-1?{by:e.by,rows:t,cursor:n}:{by:e.by,rows:t.concat(e.rows.slice(o+1)),cursor:e.cursor}}var qo,Ch,ld=T(()=>{V();k();Z();qo=100,Ch=300});function Oh(){try{let e=JSON.parse(localStorage.getItem(cd)||"[]");return Array.isArray(e)?e:[]}catch{return[]}}function dd(){let[e,t]=h(Oh),[n,o]=h(""),r=Ni().query.toString(),s=c=>{localStorage.setItem(cd,JSON.stringify(c)),t(c)},a=c=>{c.preventDefault(),n.trim()&&(s([...e.filter(d=>d.name!==n.trim()),{name:n.trim(),query:r}]),o(""))},l=e.find(c=>c.query===r);return i`<${ot} label="Saved views" icon="save" word=${l?l.name:"Views"} end>
    <div class="views">
      ${e.length?null:i`<p class="soft">A view is a filter with a name.</p>`}
      <ul>
        ${e.map(c=>i`<li key=${c.name}>
            <button type="button" class="menu-item" data-close onClick=${()=>ae(`/executions?${c.query}`)}>${c.name}</button>
            <${v} kind="ghost" icon="close" label=${`Forget ${c.name}`} onClick=${()=>s(e.filter(d=>d!==c))} />
          </li>`)}
      </ul>
      <form onSubmit=${a}>
        <input aria-label="Name of this view" placeholder="Name of this view" value=${n} onInput=${c=>o(c.target.value)} />
        <${v} type="submit" kind="primary">Save</${v}>
      </form>
    </div>
  </${ot}>`}var cd,ud=T(()=>{k();z();j();cd="tallystick.views"});var fd={};Me(fd,{Page:()=>Lh});function Lh({query:e}){let t=e.get("q")||"",n=e.get("group")||"",o=ie(()=>Xl(t),[t]),r=ad(Ql(o),`${t} ${e.get("journal")||""}`),[s,a]=h(0);return!o.length&&r.data&&!r.rows.length?i`<${Mo} />`:i`<div class="page page-list">
    <div class="page-head">
      <h1>Executions</h1>
      <div class="page-head-end">
        <${oe} label="Group by" value=${n} choices=${[["","Flat"],["task","By task"],["agent","By agent"]]} onChange=${c=>J({group:c})} />
        <${dd} />
      </div>
    </div>
    <${Rh} text=${t} terms=${o} onEnter=${()=>a(s+1)} />
    <${L} problem=${r.problem} retry=${r.reload} />
    ${r.data?i`<${Dh} live=${r} group=${n} filtered=${o.length>0} entered=${s} />`:!r.problem&&i`<${B} what="Loading executions" />`}
  </div>`}function Rh({text:e,terms:t,onEnter:n}){let o=r=>J({q:r.trim()},{replace:!0});return i`<div class="exec-filters">
    <${Ve} label="Filter executions" value=${e} onChange=${o} onEnter=${n} placeholder="status:failed agent:codex since:2d words">
      <kbd class="kbd">f</kbd>
    </${Ve}>
    <div class="exec-chips" role="group" aria-label="Quick filters">
      ${pd.map(([r,s,a])=>{let l=t.some(c=>c.field===r&&c.value===s);return i`<${v} class="exec-chip" pressed=${l} onClick=${()=>o(Pn(Zl(t,{field:r,value:s})))}>${a}</${v}>`})}
      ${t.filter(r=>!pd.some(([s,a])=>s===r.field&&a===r.value)).map(r=>i`<${v} class="exec-chip exec-chip-term" icon="close" aria-label=${`Remove ${Pn([r])}`} onClick=${()=>o(Pn(t.filter(s=>s!==r)))}>${Pn([r])}</${v}>`)}
      ${t.length>0&&i`<${v} kind="ghost" class="exec-chip" onClick=${()=>o("")}>Clear</${v}>`}
    </div>
    <details class="hints">
      <summary><${S} name="filter" />Filters</summary>
      <dl>${Yl.map(([r,s])=>i`<div><dt><code>${r}</code></dt><dd>${s}</dd></div>`)}</dl>
      <p class="soft">Words find executions with entries that contain them; <code>word*</code> finds prefixes.</p>
    </details>
  </div>`}function Dh({live:e,group:t,filtered:n,entered:o}){let[r,s]=h(-1),a=be("density"),l=jh(),c=ie(()=>Ph(e.rows,t,e.all),[e.rows,t,e.all]),d=Ih[l?"phone":a==="comfortable"?"comfortable":"compact"],u=p=>{let f=r+p;for(;c[f]?.group!==void 0;)f+=p;c[f]&&s(f)};return fe("Executions",{j:{label:"next execution",run:()=>u(1)},k:{label:"previous execution",run:()=>u(-1)},Enter:{label:"open it",run:()=>c[r]?.id&&ae(`/x/${c[r].id}`)}}),_(()=>{if(!o||e.loading||document.activeElement?.hasAttribute("data-search"))return;let p=c.findIndex(f=>f.group===void 0);s(-1),setTimeout(()=>s(p))},[o,e.loading]),_(()=>{if(r<0)return;document.querySelector(`[data-index="${r}"] .exec-link`)?.focus({preventScroll:!0})},[r]),c.length?i`<div class="exec-list panel">
    <p class="visually-hidden" role="status">${e.rows.length}${e.all?"":" or more"} ${e.rows.length===1&&e.all?"execution":"executions"}${n?" match":""}</p>
    <${Ct}
      label="Executions"
      rows=${c}
      height=${d}
      selected=${r}
      head=${Nh}
      onNear=${e.more}
      row=${(p,f)=>p.group!==void 0?i`<${ec} key=${`group ${p.group}`} ...${p} />`:i`<${en} key=${p.id} row=${p} index=${f} selected=${f===r} onFocus=${()=>s(f)} />`}
    />
  </div>`:i`<${q} icon="search" title="No matching executions."><a href=${x("/executions",{})}>Show all</a></${q}>`}function Ph(e,t,n){if(t!=="task"&&t!=="agent")return e;let o=new Map;for(let r of e){let s=(t==="task"?r.task_id:r.actor)||"";o.set(s,[...o.get(s)||[],r])}return[...o].flatMap(([r,s])=>[{group:r,count:s.length,by:t,more:!n},...s])}function jh(){let[e,t]=h(Bo.matches);return _(()=>{let n=()=>t(Bo.matches);return Bo.addEventListener("change",n),()=>Bo.removeEventListener("change",n)},[]),e}var pd,Ih,Nh,Bo,$d=T(()=>{yr();Co();ld();gr();ud();k();te();Ce();z();et();j();pd=[["status","open","Open"],["only","waiting","Waiting for a person"],["only","in_doubt","In doubt"],["only","interrupted","Interrupted"],["only","owed","Owed"],["status","failed","Failed"]],Ih={compact:48,comfortable:60,phone:104},Nh=i`<div class="exec exec-head" aria-hidden="true">
  <span>state</span><span>execution</span><span>plan</span><span></span><span class="exec-last">last entry</span>
</div>`,Bo=matchMedia("(max-width: 720px)")});var gd={};Me(gd,{Page:()=>Bh});function Bh(){let{data:e,problem:t,reload:n}=P({by:[X()]},a=>E("/v1/alerts",{limit:100},{signal:a})),[o,r]=h(null),s=e?.alerts??[];return _(()=>{let a=setInterval(n,qh);return()=>clearInterval(a)},[]),i`<div class="page">
    <div class="page-head"><h1>Alerts</h1><p class="soft">What somebody should look at now. <code>tallystick serve --alert URL</code> sends these to chat or mail.</p></div>
    <${L} problem=${t} retry=${n} />
    ${e?s.length?i`<${D} flush><${zh} alerts=${s} onSilence=${r} /><//>
            ${e.more?.length?i`<p class="soft">There are more of: ${e.more.map(a=>hd[a]).join(", ")}.</p>`:null}`:i`<${D}><${q} icon="check" title="Nothing needs you." /><//>`:!t&&i`<${B} />`}
    ${o&&i`<${Fh} alert=${o} onClose=${()=>r(null)} onDone=${()=>(r(null),n())} />`}
  </div>`}function md(e){return e.rule==="question_waits"?x(`/approvals/${e.about}`):e.execution_id?x(`/x/${e.execution_id}`):""}function zh({alerts:e,onSilence:t}){return i`<ul class="alerts" aria-label="Alerts">
    ${e.map(n=>i`<li key=${`${n.rule}/${n.about}`}>
      <div>
        <p><strong>${hd[n.rule]}</strong> · <span class="soft">since <${N} at=${n.since} />${n.who?i`, <${m} text=${n.who} />`:null}</span></p>
        <p>${md(n)?i`<a href=${md(n)}><${m} text=${n.text} /></a>`:i`<${m} text=${n.text} />`}</p>
        <p class="soft"><${m} text=${[n.title,n.to_do].filter(Boolean).join(" · ")} /></p>
      </div>
      ${n.silenced?i`<span class="soft">silenced until <${N} at=${n.silenced} /></span>`:i`<${v} onClick=${()=>t(n)}>Silence<//>`}
    </li>`)}
  </ul>`}function Fh({alert:e,onClose:t,onDone:n}){let o=Ae(),[r,s]=h(""),[a,l]=h(null),c=async d=>{d.preventDefault(),await Te("/v1/alerts/silences",{rule:e.rule,about:e.about,until:zo,why:r}).then(()=>(ye(`Silenced for ${zo}.`,"ok"),n()),l)};return i`<${Qe} title="Silence this alert" onClose=${t}>
    <p><${m} text=${e.text} /></p>
    ${o?.may_decide?i`<form onSubmit=${c}>
          <label class="field"><span>Why no messages for ${zo}</span>
            <input value=${r} required onInput=${d=>s(d.target.value)} /></label>
          <${L} problem=${a} />
          <${v} kind="primary" type="submit" disabled=${!r.trim()}>Silence for ${zo}<//>
        </form>`:i`<${Je} />`}
  <//>`}var hd,zo,qh,bd=T(()=>{V();Qt();k();Z();z();Fe();j();hd={question_waits:"A question waits",in_doubt:"In doubt",interrupted:"Interrupted",run_held:"A run is held",run_failed:"A run failed",undo_expires:"An undo expires",hook_silent:"Hooks are silent",tool_failing:"A tool fails more than usual",step_slow:"A step takes long",verify_failed:"Verification failed"},zo="8h",qh=3e4});function yd({onDone:e}){let[t,n]=h({}),[o,r]=h(!1),[s,a]=h(null),[l,c]=h(null);if(l)return i`<${Pr} made=${l} onDone=${e} />`;let d=(p,f,$,b={})=>i`
    <label class="field" key=${p}><span>${f} ${$&&i`<span class="faint">${$}</span>`}</span>
      <input value=${t[p]||""} aria-invalid=${s?.field===p?"true":null} spellcheck="false" autocomplete="off" ...${b}
        onInput=${g=>n({...t,[p]:g.target.value})} /></label>`;return i`<form class="webhook-form" onSubmit=${async p=>{p.preventDefault();let f=Object.entries(t).map(([g,M])=>[g,M.trim()]).filter(([,g])=>g),{kinds:$,...b}=Object.fromEntries(f);$&&(b.kinds=$.split(/[,\s]+/).filter(Boolean)),o&&(b.needs_person=!0),await Te("/v1/webhooks",b).then(c,a)}}>
    ${d("name","Name","small letters, digits, dots and dashes",{required:!0})}
    ${d("address","Address","https://…",{required:!0,type:"url"})}
    <label class="check"><input type="checkbox" checked=${o} onChange=${p=>r(p.target.checked)} /> Only what a person has to act on</label>
    <details><summary>Only some entries</summary>${Hh.map(([p,f,$])=>d(p,f,$))}</details>
    <${L} problem=${s} />
    <${v} kind="primary" type="submit">Add it<//>
  </form>`}function Pr({made:e,onDone:t}){return i`<div class="webhook-form">
    <p>Messages are signed with this secret. It is shown this once: give it to the receiver now.</p>
    <p class="command"><code>${e.secret}</code><${ge} text=${e.secret||""} what="the secret" /></p>
    ${(e.notes||[]).map(n=>i`<p class="warning-note"><${m} text=${n} /></p>`)}
    <${v} kind="primary" onClick=${t}>Done<//>
  </div>`}var Hh,jr=T(()=>{V();k();j();Hh=[["kinds","Kinds of entry","such as approval_requested, with commas"],["execution_id","Execution","ex_…"],["task_id","Task",""],["tool","Tool",""],["actor","Actor","an agent or a person"]]});function on({path:e,body:t,button:n,kind:o="primary",done:r,children:s}){let[a,l]=h(null),[c,d]=h(!1);return i`<form class="webhook-form" onSubmit=${async p=>{p.preventDefault(),d(!0),await Te(e,t||{}).then(r,l),d(!1)}}>
    ${s}
    <${L} problem=${a} />
    <${v} kind=${o} type="submit" disabled=${c}>${n}<//>
  </form>`}function Uh({webhook:e,onDone:t}){let n=()=>(ye("The test is recorded, and is being delivered.","ok"),t());return i`<${on} path=${Dt(e,"test")} button="Send a test" done=${n}>
    <p>An entry is recorded that is delivered to this webhook alone, as <code>webhook.test</code>.</p>
  <//>`}function Wh({webhook:e,onDone:t}){return i`<${on} path=${Dt(e,"replay")} button="Try now" done=${()=>(ye("It tries at once.","ok"),t())}>
    <p>What waits is tried at once. A webhook that was paused or disabled goes on.</p>
  <//>`}function Kh({webhook:e,onDone:t}){let[n,o]=h("");return i`<${on} path=${Dt(e,"replay")} body=${{since:Number(n)}} button="Deliver again" done=${()=>(ye("They are delivered again.","ok"),t())}>
    <p>What fits this webhook is delivered again, with the same ids: a receiver that keeps them handles nothing twice.</p>
    <label class="field"><span>From this entry on</span>
      <input type="number" min="1" required value=${n} onInput=${r=>o(r.target.value)} /></label>
  <//>`}function Vh({webhook:e,onDone:t}){let{data:n,problem:o}=P({kinds:["webhook_"],by:[X(),e.name]},r=>E(Dt(e,"dead"),{limit:100},{signal:r}));return i`<${L} problem=${o} />
    ${n?i`<ul class="dead-deliveries">${n.deliveries.map(r=>i`<li key=${r.seq}>
          <p>Entry ${r.seq}${r.execution_id&&i` of <a href=${x(`/x/${r.execution_id}`)}><code>${r.execution_id}</code></a>`}, after ${r.attempts} attempts, <${N} at=${r.at} /></p>
          <p class="soft"><${m} text=${r.error} /></p></li>`)}</ul>`:!o&&i`<${B} />`}
    ${n?.next_cursor&&i`<p class="soft">The first 100 of ${e.dead}.</p>`}
    <${on} path=${Dt(e,"replay")} body=${{dead:!0}} button="Deliver them again" done=${()=>(ye("They are delivered again.","ok"),t())} />`}function Gh({webhook:e,onDone:t}){let[n,o]=h(null);return n?i`<${Pr} made=${n} onDone=${t} />`:i`<${on} path=${Dt(e,"rotation")} button="Make a new secret" done=${o}>
    <p>For a day each message has both signatures, so that the receiver can change over.</p>
  <//>`}function Jh({webhook:e,onDone:t}){return i`<${on} path=${Dt(e,"removal")} button="Remove it" kind="danger" done=${()=>(ye("It is removed.","ok"),t())}>
    <p>Its address is told nothing more. Its secret, what waits and what was given up are forgotten. To set it up again, add it anew.</p>
  <//>`}var Fo,Dt,qr=T(()=>{V();k();Z();z();j();jr();Fo={test:{label:"Test",title:"Test",suits:e=>e.state!=="disabled",form:Uh},retry:{label:"Try now",title:"Try at once:",suits:e=>e.state!=="active"||!!e.waiting,form:Wh},dead:{label:"Given up",title:"Given up:",suits:e=>!!e.dead,form:Vh},replay:{label:"Replay",title:"Replay",suits:()=>!0,form:Kh},rotate:{label:"New secret",title:"New secret for",suits:()=>!0,form:Gh},remove:{label:"Remove",title:"Remove",suits:()=>!0,form:Jh}};Dt=(e,t)=>`/v1/webhooks/${encodeURIComponent(e.name)}/${t}`});function xd({webhooks:e,onChoose:t}){return i`<ul class="webhooks" aria-label="Webhooks">
    ${e.map(n=>i`<li key=${n.name}>
      <div>
        <p><strong><${m} text=${n.name} /></strong> <${W} state=${n.state} /> · <code><${m} text=${n.host} /></code></p>
        <p class="soft">Hears of <${Yh} webhook=${n} />.</p>
        <p class="soft"><${Xh} webhook=${n} /></p>
        ${n.last_error&&i`<p class="webhook-error">Last error: <${m} text=${n.last_error} />${n.last_error_at&&i`, <${N} at=${n.last_error_at} />`}</p>`}
      </div>
      <div class="webhook-actions">
        ${Object.entries(Fo).map(([o,{label:r,suits:s}])=>s(n)&&i`<${v} onClick=${()=>t(o,n)} aria-label=${`${r} ${n.name}`}>${r}<//>`)}
      </div>
    </li>`)}
  </ul>`}function Yh({webhook:e}){let{kinds:t=[],execution_id:n,task_id:o,tool:r,actor:s}=e,a=[e.needs_person&&"what a person has to act on",t.length>0&&i`entries of ${t.length>1?"the kinds":"the kind"} <code>${t.join(", ")}</code>`,n&&i`execution <a href=${x(`/x/${n}`)}><code>${n}</code></a>`,o&&i`task <${m} text=${o} />`,r&&i`calls of <code><${m} text=${r} /></code>`,s&&i`what <${m} text=${s} /> recorded`].filter(Boolean);return a.length?i`${a.map((l,c)=>i`${c>0&&" and "}${l}`)}`:i`every entry`}function Xh({webhook:e}){let{delivered:t=0,behind:n=0,waiting:o=0,dead:r=0}=e,s=[`${t} delivered`,n>0&&`${n} ${n===1?"entry":"entries"} behind`,o>0&&`${o} waiting`,r>0&&`${r} given up`,!e.delivering&&"no process delivers now"].filter(Boolean);return i`${s.join(", ")}${e.last_success&&i`, the last one <${N} at=${e.last_success} />`}${e.next_attempt&&i`, next attempt at <${N} at=${e.next_attempt} form="absolute" />`}`}var _d=T(()=>{k();z();j();qr()});var vd={};Me(vd,{Page:()=>Zh});function Zh(){let{data:e,problem:t,reload:n}=P({kinds:["webhook_"],by:[X()]},c=>E("/v1/webhooks",{limit:100},{signal:c})),o=t?.status===403,[r,s]=h(null);_(()=>{if(o)return;let c=setInterval(n,Qh);return()=>clearInterval(c)},[o]);let a=()=>(s(null),n()),l=(c,d)=>s({action:c,webhook:d});return i`<div class="page">
    <div class="page-head"><h1>Webhooks</h1>
      <p class="soft">Addresses that are told of new entries. <code>tallystick serve</code> or <code>tallystick notify</code> delivers.</p></div>
    ${o?i`<${D}><p>Webhooks are shown to admins only.</p><${Je} scope="admin" onDone=${n} /><//>`:i`<${L} problem=${t} retry=${n} />`}
    ${e&&i`<p><${v} kind="primary" onClick=${()=>s({action:"add"})}>Add a webhook<//></p>`}
    ${e?e.webhooks.length?i`<${D} flush><${xd} webhooks=${e.webhooks} onChoose=${l} /><//>`:i`<${D}><${q} icon="check" title="No webhooks.">Add one: its address hears of each new entry, or of those that you choose.<//><//>`:!t&&i`<${B} />`}
    ${r&&i`<${eg} ...${r} onClose=${a} />`}
  </div>`}function eg({action:e,webhook:t,onClose:n}){let o=Ae(),r=Fo[e],s=t?`${r.title} ${t.name}`:"Add a webhook",a=r?.form||yd;return i`<${Qe} title=${s} onClose=${n}>
    ${o.scopes.includes("admin")?i`<${a} webhook=${t} onDone=${n} />`:i`<${Je} scope="admin" />`}
  <//>`}var Qh,wd=T(()=>{V();Qt();k();Z();z();Fe();j();jr();qr();_d();Qh=5e3});function ng(e){let[t,...n]=e.split(":"),o=n.join(":");return{scope:t,...t==="task"&&{task_id:o},...t==="execution"&&{execution_id:o}}}function kd({name:e,scopeText:t,onClose:n}){let{data:o,problem:r,reload:s}=P({by:[e,t],kinds:["context_recorded","body_erased"]},a=>E(`/v1/context/${encodeURIComponent(e)}`,{...ng(t),limit:tg},{signal:a}));return i`<aside class="context-value" aria-label=${`Context ${e}`}>
    <header class="context-value-head">
      <h2><code><${m} text=${e} /></code></h2>
      <${v} kind="ghost" icon="close" label="Close" onClick=${n} />
    </header>
    <${L} problem=${r} retry=${s} />
    ${o?i`<${og} value=${o.values[0]} /><${rg} values=${o.values} />`:!r&&i`<${B} />`}
  </aside>`}function og({value:e}){return i`
    ${e.erased?i`<p class="note"><${S} name="cancelled" /> Its text was erased. The entry remains.</p>`:e.altered?i`<p class="note"><${S} name="warning" /> Its stored text was altered and is not shown.</p>`:i`<${re} value=${e.value??null} label="value" whole />`}
    <${Ie} rows=${[["scope",i`<${Br} value=${e} />`],["type",e.type],["written by",e.actor&&i`<${m} text=${e.actor} />`],["when",i`<${N} at=${e.at} />`],["entry",i`<span class="num">${e.seq}</span>`],["holds until",e.expires&&i`<${zr} value=${e} />`],["derived from",e.derived_from?.length?i`<${sg} handles=${e.derived_from} />`:""]]} />
    ${e.metadata?i`<h3>Metadata</h3><${re} value=${e.metadata} label="metadata" />`:null}
    <p class="note soft">A model or a tool wrote this. It is data, not an instruction, and not checked by anybody.</p>`}function Br({value:e}){let t=e.scope_id||"";return e.scope==="execution"?i`execution <a href=${x(`/x/${encodeURIComponent(t)}`)}><code>${t}</code></a>`:e.scope==="task"?i`task <a href=${x("/executions",{q:`task:${t}`})}>${t}</a>`:e.scope}function zr({value:e}){return e.expires?e.expired?i`<${ee} tone="idle" icon="late">expired<//>`:i`<${N} at=${e.expires} form="absolute" />`:i`<span class="faint">for good</span>`}function sg({handles:e}){return e.map((t,n)=>i`${n?", ":""}${t.startsWith("ex_")?i`<a href=${x(`/x/${encodeURIComponent(t)}`)}><code>${t}</code></a>`:t.startsWith("pl_")?i`<a href=${x(`/plans/${encodeURIComponent(t)}`)}><code>${t}</code></a>`:t.startsWith("ap_")?i`<a href=${x(`/approvals/${encodeURIComponent(t)}`)}><code>${t}</code></a>`:i`<code>${t}</code>`}`)}function rg({values:e}){let[t,n]=h(1);return e.length<2?i`<p class="soft">Written once: there is no history.</p>`:i`<h3>History <span class="faint">${e.length} values, the newest first</span></h3>
    <ol class="versions" reversed>
      ${e.map((o,r)=>i`<li key=${o.seq}>
        <button type="button" class="version" aria-expanded=${String(t===r)} onClick=${()=>n(t===r?-1:r)}>
          <${S} name=${t===r?"down":"right"} size=${14} />
          <span>${r===0?"now":i`<${N} at=${o.at} />`}</span>
          <span class="soft cut"><${m} text=${o.actor} /></span>
          <span class="faint num">entry ${o.seq}</span>
        </button>
        ${t===r&&i`<${ig} value=${o} before=${e[r+1]} />`}
      </li>`)}
    </ol>`}function ig({value:e,before:t}){return e.erased?i`<p class="note">Its text was erased.</p>`:e.altered?i`<p class="note">Its stored text was altered and is not shown.</p>`:!t||t.erased||t.altered?i`<${re} value=${e.value??null} label="value" />`:i`<${qe} before=${t.value} after=${e.value} titles=${["before","after"]} />`}var tg,sn,Sd=T(()=>{V();k();te();Z();z();j();tg=100,sn=e=>e.scope_id?`${e.scope}:${e.scope_id}`:e.scope});var Td={};Me(Td,{Page:()=>cg});function cg({query:e}){let[t,n,o,r]=["text","scope","type","expired"].map(g=>e.get(g)||""),[s,a]=[e.get("key")||"",e.get("at")||"project"],[l,c]=h(1),d=P({by:[t,n,o,r,l],kinds:["context_recorded","body_erased"]},g=>dg({text:t,scope:n,type:o,include_expired:!!r},l,g)),u=d.data?.values??[],p=u.findIndex(g=>g.key===s&&sn(g)===a),f=g=>g&&J({key:g.key,at:sn(g)},{replace:!!s}),$=()=>J({key:"",at:""});fe("Context",{j:{label:"next key",run:()=>f(u[Math.min(p+1,u.length-1)])},k:{label:"previous key",run:()=>f(u[Math.max(p-1,0)])},Escape:!!s&&{label:"close it",run:$}});let b=!!(t||n||o||r);return i`<div class=${`page context ${s?"has-detail":""}`}>
    <div class="page-head"><h1>Context</h1><p class="soft">Values that agents keep across sessions. The newest value of a key counts; the history stays.</p></div>
    <div class="filters">
      <${Ve} label="Search keys and values" placeholder="Search keys and values" value=${t} onChange=${g=>J({text:g},{replace:!0})} />
      <${oe} label="Scope" value=${n} choices=${lg} onChange=${g=>J({scope:g})} />
      ${o&&i`<${v} icon="close" onClick=${()=>J({type:""})}>type ${o}<//>`}
      <label class="check"><input type="checkbox" checked=${!!r} onChange=${g=>J({expired:g.target.checked?"1":""})} /> show expired</label>
    </div>
    <${L} problem=${d.problem} retry=${d.reload} />
    <div class="beside">
      ${d.data?u.length?i`<${D} flush><${ug} values=${u} chosen=${p} onOpen=${f} />
              ${d.data.more&&i`<div class="more-row"><${v} onClick=${()=>c(l+1)}>Show more<//></div>`}<//>`:i`<${D}><${fg} filtered=${b} /><//>`:!d.problem&&i`<${B} />`}
      ${s&&i`<${kd} key=${s+a} name=${s} scopeText=${a} onClose=${$} />`}
    </div>
  </div>`}async function dg(e,t,n){let o=[],r="";for(let s=0;s<t;s+=1){let a=await E("/v1/context",{...e,limit:ag,cursor:r},{signal:n});if(o.push(...a.values),r=a.next_cursor||"",!r)break}return{values:o,more:!!r}}function ug({values:e,chosen:t,onOpen:n}){let o=r=>x(location.pathname+location.search,{key:r.key,at:sn(r)});return i`<${Et} label="Context" rows=${e} id=${r=>`${sn(r)} ${r.key}`}
    selected=${e[t]?`${sn(e[t])} ${e[t].key}`:""} onSelect=${n}
    columns=${[{title:"key",class:"col-key",cell:r=>i`<a href=${o(r)}><code><${m} text=${r.key} /></code></a>`},{title:"value",class:"col-value",cell:r=>i`<span class="preview"><${m} text=${pg(r)} /></span>`},{title:"type",class:"col-type",cell:r=>r.type?i`<a class="chip" href=${x("/context",{type:r.type})}>${r.type}</a>`:i`<span class="faint">–</span>`},{title:"scope",class:"col-wide",cell:r=>i`<${Br} value=${r} />`},{title:"by",class:"col-wide",cell:r=>r.actor},{title:"written",cell:r=>i`<span class="soft"><${N} at=${r.at} /></span>`},{title:"until",class:"col-wide",cell:r=>i`<span class="soft"><${zr} value=${r} /></span>`},{title:"values",class:"right col-wide",cell:r=>(r.versions??1)>1?i`<${ee} title="number of values over time">${r.versions}<//>`:i`<span class="faint">1</span>`}]} />`}function pg(e){if(e.erased||e.altered)return e.erased?"erased":"altered";let t=typeof e.value=="string"?e.value:ne(e.value??null);return t.length>160?`${t.slice(0,160)}…`:t}function fg({filtered:e}){return e?i`<${q} icon="search" title="No matches."><p><a href=${x("/context")}>Show everything</a></p><//>`:i`<${q} icon="context" title="No context values yet.">
    <p>An agent stores a value for the next session with <code>record_context</code>, a person
    with <code>tallystick record context KEY --value TEXT</code>.</p><//>`}var ag,lg,Ed=T(()=>{V();Sd();k();Ne();Ce();Z();z();j();ag=100,lg=[["","all"],["project","project"],["task","task"],["execution","execution"]]});var Md={};Me(Md,{Page:()=>mg});function mg({query:e}){let[t,n,o]=["text","status","task_id"].map(f=>e.get(f)||""),[r,s]=h(Fr),[a,l]=h(-1),{data:c,problem:d,reload:u}=P({by:[t,n,o,r],kinds:["plan_"]},f=>hg({text:t,status:n,task_id:o},r,f)),p=c?.plans??[];return fe("Plans",{j:{label:"next plan",run:()=>l(Math.min(a+1,p.length-1))},k:{label:"previous plan",run:()=>l(Math.max(a-1,0))},Enter:p[a]&&{label:"open it",run:()=>ae(x(`/plans/${p[a].id}`))}}),i`<div class="page">
    <div class="page-head"><h1>Plans</h1><p class="soft">Planned steps, and whether and how each can be undone.</p></div>
    <div class="filters">
      <${Ve} label="Search plans" placeholder="Search titles, goals and steps" value=${t} onChange=${f=>J({text:f},{replace:!0})} />
      <${oe} label="Status" value=${n} choices=${$g} onChange=${f=>J({status:f})} />
      ${o&&i`<${v} icon="close" onClick=${()=>J({task_id:""})}>task ${o}<//>`}
    </div>
    <${L} problem=${d} retry=${u} />
    ${c?p.length?i`<${D} flush><${gg} plans=${p} chosen=${p[a]?.id??""} />
            ${c.more&&i`<div class="more-row"><${v} onClick=${()=>s(r+Fr)}>Show more<//></div>`}<//>`:i`<${D}><${bg} filtered=${!!(t||n||o)} /><//>`:!d&&i`<${B} />`}
  </div>`}async function hg(e,t,n){let o=[],r="";do{let s=await E("/v1/plans",{...e,limit:Fr,cursor:r},{signal:n});o.push(...s.plans),r=s.next_cursor||""}while(r&&o.length<t);return{plans:o,more:!!r}}function gg({plans:e,chosen:t}){return i`<${Et} label="Plans" rows=${e} id=${n=>n.id} selected=${t}
    onSelect=${n=>ae(x(`/plans/${n.id}`))}
    columns=${[{title:"status",cell:n=>i`<${W} state=${n.status} quiet />`},{title:"plan",class:"col-title",cell:n=>i`<a href=${x(`/plans/${n.id}`)}><strong><${m} text=${n.erased?"erased":n.altered?"altered":n.title||n.id} /></strong></a>
          <span class="plan-goal soft"><${m} text=${n.goal} /></span>`},{title:"steps",class:"right num",cell:n=>n.step_count??0},{title:"revision",class:"right num col-wide",cell:n=>n.revision},{title:"task",class:"col-wide",cell:n=>n.task_id||i`<span class="faint">–</span>`},{title:"type",class:"col-wide",cell:n=>n.type||i`<span class="faint">–</span>`},{title:"by",class:"col-wide",cell:n=>n.actor},{title:"revised",cell:n=>i`<span class="soft"><${N} at=${n.at} /></span>`}]} />`}function bg({filtered:e}){return e?i`<${q} icon="search" title="No matching plans."><p><a href=${x("/plans")}>Show all plans</a></p><//>`:i`<${q} icon="plans" title="No plan yet.">
    <p>An agent records one with <code>record_plan</code> before it acts. Each step says whether and how it can be undone.</p><//>`}var Fr,$g,Cd=T(()=>{V();k();Ce();Z();z();j();Fr=100,$g=[["","all"],["active","active"],["archived","archived"],["cancelled","cancelled"]]});function Ad({id:e,revisions:t,shown:n,from:o,counts:r}){return i`<ol class="revisions" reversed aria-label="Revisions, the newest first">
    ${t.map(s=>{let a=s.revision,l=r.get(a)??0;return i`<li key=${a} class=${a===n?"is-chosen":null}>
        <a class="revision" href=${x(`/plans/${e}`,{revision:a})} aria-current=${a===n&&!o?"true":null}>
          <strong>Revision ${a}</strong>
          <span class="soft"><${N} at=${s.at} /></span>
        </a>
        <p class="soft revision-why">${s.erased?"Its text was erased.":s.altered?"Its stored text was altered and is not shown.":s.reason||(a===1?"First version.":"")}</p>
        <p class="revision-end">
          ${l?i`<span class="soft">${l} ${l===1?"execution":"executions"}</span>`:i`<span class="faint">not carried out</span>`}
          ${a>1&&i`<a href=${x(`/plans/${e}`,{from:a-1,to:a})} aria-current=${o===a-1&&n===a?"true":null}>
            what changed<span class="visually-hidden"> in revision ${a}</span></a>`}
        </p>
      </li>`})}
  </ol>`}function Od({before:e,after:t}){let n=Oc(e.steps??[],t.steps??[]),o=Ic(e,t),r=n.filter(s=>s.change!=="same").length;return i`<div class="revision-diff">
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
        <div class="step-body"><${xg} row=${s} titles=${[`revision ${e.revision}`,`revision ${t.revision}`]} /></div>
      </li>`)}
    </ol>
  </div>`}function xg({row:e,titles:t}){let[n,o,r]=yg[e.change],s=e.after??e.before,a=i`<${ee} tone=${n} icon=${o}>${r}<//>`;return e.change==="added"?i`<p class="step-mark">${a}</p><${Er} step=${s} />`:i`<div class="step-head">
      <h3><${m} text=${s?.title||e.id} /></h3><code class="soft"><${m} text=${e.id} /></code><span class="step-end">${a}</span>
    </div>
    ${e.change==="changed"&&i`<${qe} before=${e.before} after=${e.after} titles=${t} />`}
    ${e.change==="removed"&&i`<p class="soft"><${S} name="cancelled" size=${14} /> Executions that began it keep it, with its undo.</p>`}`}var yg,Id=T(()=>{k();te();z();j();jo();Po();yg={added:["ok","unplanned","added"],removed:["failed","cancelled","removed"],changed:["doubt","edit","changed"],moved:["running","down","moved"],same:["idle","check","unchanged"]}});var Nd={};Me(Nd,{Page:()=>_g});function _g({id:e,query:t}){let n=P({by:[e],kinds:["plan_","body_erased"]},r=>E(`/v1/plans/${encodeURIComponent(e)}`,{},{signal:r})),o=P({by:[e],kinds:["execution_","decision_recorded","action_ended"]},r=>E("/v1/executions",{plan_id:e,limit:Hr},{signal:r}));return n.data?i`<${vg} id=${e} query=${t} status=${n.data.status} revisions=${n.data.revisions} executions=${o.data?.executions??[]} />`:i`<div class="page"><h1>Plan</h1><${L} problem=${n.problem} retry=${n.reload} />${!n.problem&&i`<${B} />`}</div>`}function vg({id:e,query:t,status:n,revisions:o,executions:r}){let s=o[0],a=Number(t.get("to")||t.get("revision"))||s.revision,l=o.find(p=>p.revision===a)??s,c=o.find(p=>p.revision===Number(t.get("from"))),d=new Map;for(let p of r)d.set(p.revision,(d.get(p.revision)??0)+1);let u=p=>{let f=o.find($=>$.revision===l.revision+p);f&&J({revision:c?"":f.revision,to:c?f.revision:"",from:c&&f.revision-1||""},{replace:!0})};return fe("Plan",{"[":{label:"previous revision",run:()=>u(-1)},"]":{label:"next revision",run:()=>u(1)},d:l.revision>1&&{label:"show changes or steps",run:()=>J(c?{from:"",to:"",revision:l.revision}:{from:l.revision-1,to:l.revision,revision:""})}}),i`<div class="page plan">
    <header class="plan-head">
      <p><a class="back" href=${x("/plans")}>Plans</a></p>
      <div class="page-head">
        <h1><${m} text=${l.erased?"Erased plan":l.altered?"Altered plan":l.title||e} /></h1>
        <${W} state=${n} />
        <div class="page-head-end"><${We} id=${e} /></div>
      </div>
      ${l.goal&&i`<p class="plan-goal"><${m} text=${l.goal} /></p>`}
      <p class="soft plan-about">
        ${[s.task_id&&i`task <a href=${x("/executions",{q:`task:${s.task_id}`})}>${s.task_id}</a>`,s.type,`by ${s.actor}`].filter(Boolean).map((p,f)=>i`${f?" · ":""}${p}`)}
      </p>
      ${n!=="active"&&s.retired_reason&&i`<p class="note">Retired: ${s.retired_reason}</p>`}
    </header>
    <div class="plan-body">
      <section class="plan-main" aria-label=${c?"What changed":`Revision ${l.revision}`}>
        ${c?i`<${Od} before=${c} after=${l} />`:i`<${wg} revision=${l} step=${t.get("step")||""} />`}
        <${D} flush title=${`Executions${r.length===Hr?`, the newest ${Hr}`:""}`}>
          ${r.length?i`<${kg} runs=${r} />`:i`<${q} icon="executions" title="No executions yet." />`}
        <//>
      </section>
      <aside class="plan-side" aria-label="Revisions">
        <${D} title="Revisions"><${Ad} id=${e} revisions=${o} shown=${l.revision} from=${c?.revision??0} counts=${d} /><//>
      </aside>
    </div>
  </div>`}function wg({revision:e,step:t}){let n=e.steps??[],o=n.filter(a=>a.estimate!==void 0&&a.estimate!==null),r=o.reduce((a,l)=>a+Number(l.estimate),0),s=i`Steps of revision ${e.revision}
    <span class="soft panel-note">${o.length?`estimated ${pe(r*1e3)}${o.length<n.length?` for ${o.length} of ${n.length}`:""}`:""}</span>`;return i`
    ${e.warnings?.length?i`<ul class="warnings" aria-label="Warnings">${e.warnings.map(a=>i`<li><${S} name="warning" /> <${m} text=${a} /></li>`)}</ul>`:null}
    ${e.reasoning&&i`<details class="reasoning"><summary>Reasoning</summary><p><${Re} text=${e.reasoning} /></p></details>`}
    <${D} flush title=${s}><${Nc} steps=${n} chosen=${t} /><//>`}function kg({runs:e}){return i`<${Et} label="Executions of this plan" rows=${e} id=${t=>t.id}
    columns=${[{title:"status",cell:t=>i`<${W} state=${t.status} quiet />`},{title:"execution",cell:t=>i`<a href=${x(`/x/${t.id}`)}><code>${t.id}</code></a>`},{title:"revision",class:"right num",cell:t=>t.revision},{title:"plan",class:"col-wide",cell:t=>i`<${Mt} row=${t} />`},{title:"by",class:"col-wide",cell:t=>t.client||t.actor},{title:"started",cell:t=>i`<span class="soft"><${N} at=${t.started} /></span>`},{title:"took",class:"right col-wide",cell:t=>i`<${ft} from=${t.started} to=${t.ended} />`}]} />`}var Hr,Ld=T(()=>{V();k();te();Ce();Z();Id();jo();z();j();je();Hr=100});function Rd({a:e,b:t,arguments:n=[],results:o=[]}){if(!e||!t)return[e?"only in A":"only in B"];if([e.state,t.state].includes("planned"))return e.state===t.state?[]:["state"];let r=[];e.state!==t.state&&r.push("state"),(e.attempts??0)!==(t.attempts??0)&&r.push("attempts"),n.length&&r.push("arguments"),o.length&&r.push("result");let[s,a]=[e.seconds??0,t.seconds??0].sort((l,c)=>l-c);return a>1&&a>s*Sg&&r.push("duration"),r}function Dd(e){return e.map(({path:t,a:n,b:o,only:r})=>({path:t.replace(/^\$\.?/,"")||"value",kind:{a:"removed",b:"added","":"changed"}[r??""],before:n,after:o}))}function Ur(e){let t=e.ended?(Date.parse(e.ended)-Date.parse(e.started))/1e3:null,n=o=>Object.values(o??{}).reduce((r,s)=>r+s,0);return{status:e.status,revision:e.revision??0,by:e.actor||e.client||"",started:e.started,took:t,steps:st(e),actions:n(e.actions)+n(e.undos),failed:e.actions?.failed??0,in_doubt:e.in_doubt??0,undone:e.undos?.ok??0,owed:e.owed??0,unplanned:e.unplanned??0}}var Sg,Pd=T(()=>{Vs();Sg=1.5});var zd={};Me(zd,{Page:()=>Mg});function Mg({query:e}){let[t,n]=[e.get("a")||"",e.get("b")||""],o=e.get("show")==="all",r=P({kinds:["execution_"]},c=>E("/v1/executions",{limit:Tg},{signal:c})),s=!!(t&&n),a=P({by:[t,n],kinds:["execution_","action_"]},c=>s?E("/v1/comparison",{a:t,b:n},{signal:c}):Promise.resolve(null)),l=r.data?.executions??[];return i`<div class="page compare">
    <div class="page-head"><h1>Compare two executions</h1></div>
    <div class="compare-pick">
      <${jd} side="A" value=${t} known=${l} onPick=${c=>J({a:c})} />
      <${v} icon="compare" label="Swap A and B" onClick=${()=>J({a:n,b:t})} />
      <${jd} side="B" value=${n} known=${l} onPick=${c=>J({b:c})} />
    </div>
    <${L} problem=${a.problem} retry=${a.reload} />
    ${s?a.data?i`<${Ng} comparison=${a.data} all=${o} />
            <${Og} comparison=${a.data} all=${o} />`:!a.problem&&i`<${B} />`:i`<${D}><${q} icon="compare" title="Choose two executions."><p>For example two executions of one plan: one that succeeded and one that failed.</p><//>
          <${Cg} chosen=${t||n} side=${t?"b":"a"} known=${l} /><//>`}
  </div>`}function jd({side:e,value:t,known:n,onPick:o}){let r=`recent-${e}`;return i`<label class="field compare-field"><span>${e}</span>
    <input type="text" list=${r} value=${t} placeholder="ex_…" spellcheck="false" autocomplete="off" onChange=${s=>o(s.target.value.trim())} />
    <datalist id=${r}>${n.map(s=>i`<option key=${s.id} value=${s.id}>${s.title} (${s.status})</option>`)}</datalist>
  </label>`}function Cg({chosen:e,side:t,known:n}){let o=n.find(s=>s.id===e)?.plan_id,r=n.filter(s=>s.id!==e&&o&&s.plan_id===o).slice(0,Eg);return r.length?i`<div class="compare-suggested"><h2>Of the same plan</h2>
    <ul>${r.map(s=>i`<li key=${s.id}><${W} state=${s.status} quiet /> <a href=${x("/compare",t==="b"?{a:e,b:s.id}:{a:s.id,b:e})}><${m} text=${s.title||s.id} /></a> <code class="soft">${s.id}</code> <span class="soft"><${N} at=${s.started} /></span></li>`)}</ul>
  </div>`:null}function Og({comparison:{a:e,b:t},all:n}){let[o,r]=[Ur(e),Ur(t)],s=l=>o[l]!==r[l]&&l!=="started",a=Ag.filter(([l])=>n||s(l)||l==="status");return i`<${D} flush>
    <table class="table compare-table">
      <thead><tr><th scope="col"><span class="visually-hidden">what</span></th>
        ${[e,t].map((l,c)=>i`<th scope="col"><span class="side">${"AB"[c]}</span> <a href=${x(`/x/${l.id}`)}><${m} text=${l.title||l.id} /></a> <code>${l.id}</code></th>`)}</tr></thead>
      <tbody>${a.map(([l,c])=>i`<tr key=${l} class=${s(l)?"differs":null}>
        <th scope="row">${c}</th>${[o,r].map(d=>i`<td>${Ig(l,d[l])}</td>`)}</tr>`)}</tbody>
    </table>
  <//>`}function Ig(e,t){return e==="status"?i`<${W} state=${t} />`:e==="started"?i`<${N} at=${t} />`:e==="took"?t===null?i`<span class="faint">not ended</span>`:pe(t*1e3):i`<span class="num">${t}</span>`}function Ng({comparison:e,all:t}){let n=e.rows.map(a=>({row:a,differs:Rd(a)})),o=n.filter(a=>a.differs.length),r=n.length-o.length,s=i`<label class="check"><input type="checkbox" checked=${t} onChange=${()=>J({show:t?"":"all"},{replace:!0})} /> show what is the same</label>`;return i`<${D} flush title=${`${o.length} of ${n.length} steps and calls differ`} actions=${s}>
    <p class="compare-legend soft"><span><span class="side">A</span> <a href=${x(`/x/${e.a.id}`)}><${m} text=${e.a.title||e.a.id} /></a></span>
      <span><span class="side">B</span> <a href=${x(`/x/${e.b.id}`)}><${m} text=${e.b.title||e.b.id} /></a></span></p>
    ${!o.length&&i`<${q} icon="check" title="No step or call differs." />`}
    <ul class="compare-rows">${(t?n:o).map(({row:a,differs:l})=>i`<${Lg} key=${`${a.kind} ${a.name}`} row=${a} differs=${l} />`)}</ul>
    ${!t&&r>0&&i`<p class="compare-note"><${v} kind="ghost" icon="down" onClick=${()=>J({show:"all"},{replace:!0})}>${`${r} ${r===1?"is":"are"} the same`}<//></p>`}
    ${!!e.left_out&&i`<p class="soft compare-note">${e.left_out} more are not shown; those that ended otherwise come first.</p>`}
    ${e.whole===!1&&i`<p class="soft compare-note">Only the first actions of a long execution are compared.</p>`}
  <//>`}function Lg({row:e,differs:t}){let[n,o]=h(!!e.arguments?.length),s=[["arguments",e.arguments??[]],["result",e.results??[]]].filter(([,a])=>a.length);return i`<li class=${t.length?"differs":null}>
    <div class="compare-step">
      <div class="compare-name"><strong><${m} text=${e.summary||e.name} /></strong> <code class="soft"><${m} text=${e.name} /></code>
        ${qd[e.kind]&&i` <${ee} icon=${e.kind==="undo"?"unwinding":"unplanned"}>${qd[e.kind]}<//>`}</div>
      <${Bd} letter="A" side=${e.a} /><${Bd} letter="B" side=${e.b} />
      <div class="compare-differs">${t.length?i`<${S} name="compare" size=${14} /> ${t.join(", ")}`:i`<span class="faint">same</span>`}
        ${s.length?i`<${v} kind="ghost" icon=${n?"down":"right"} aria-expanded=${String(n)} onClick=${()=>o(!n)}>${n?"hide":"show"}<//>`:null}</div>
    </div>
    ${n&&s.map(([a,l])=>i`<h3>${a}</h3>
      <div class="diff"><${$o} rows=${Dd(l)} titles=${["A","B"]} words=${{removed:"only in A",added:"only in B"}} /></div>`)}
    ${n&&e.cut&&i`<p class="soft">More differences are not shown.</p>`}
  </li>`}function Bd({letter:e,side:t}){return t?i`<div class="compare-side"><span class="side">${e}</span> <${W} state=${t.state||"planned"} quiet />
    ${(t.attempts??0)>1&&i`<span class="soft">${t.attempts} attempts</span>`}
    ${t.seconds!==void 0&&t.seconds!==null&&i`<span class="num soft">${pe(t.seconds*1e3)}</span>`}</div>`:i`<div class="compare-side"><span class="side">${e}</span> <span class="faint">missing</span></div>`}var Tg,Eg,Ag,qd,Fd=T(()=>{V();Pd();k();te();Z();z();j();Tg=50,Eg=8;Ag=[["status","status"],["by","by"],["revision","plan revision"],["started","started"],["took","took"],["steps","steps"],["actions","actions"],["failed","failed"],["in_doubt","in doubt"],["unplanned","unplanned"],["undone","undone"],["owed","owed"]];qd={call:"unplanned call",undo:"undo",step:""}});function rn(e,t){return[e,...t].map(n=>n.map(Dg).join(",")).join(`\r
`)+`\r
`}function Dg(e){if(e==null)return"";if(typeof e=="number")return Number.isFinite(e)?String(e):"";if(e instanceof Se)return e.source;let t=typeof e=="string"?e:ne(e),n=Rg.test(t)?`'${t}`:t;return/[",\r\n]/.test(n)?`"${n.replaceAll('"','""')}"`:n}var Rg,Wr=T(()=>{ct();Ne();Rg=/^[\s'"]*[=+\-@\t\r|%＝＋－＠]/});function Hd(e,t={count:0}){let n=e.map(d=>d.date),o=d=>e.map(u=>u[d]===null?null:Number(u[d]??0)),r=d=>e.map(u=>(u[d]??null)===null?null:Number(u[d])),s=(d,u)=>e.map(p=>u(p)?Number(p[d]??0)/u(p):null),a=d=>o(d).reduce((u,p)=>u+(p??0),0),l=d=>Number(d.completed??0)+Number(d.failed??0)+Number(d.cancelled??0),c=e.reduce((d,u)=>d+l(u),0);return[{id:"executions",title:ln(n[0])?"Executions per hour":"Executions per day",about:"by when they started, and by how they ended or were interrupted",unit:"count",days:n,stacked:!0,headline:`${a("started")} started`,series:[{name:"completed",values:o("completed"),tone:"ok",form:"bars"},{name:"failed",values:o("failed"),tone:"failed",form:"bars",pattern:"hatch"},{name:"cancelled",values:o("cancelled"),tone:"idle",form:"bars",pattern:"dots"},{name:"closed",values:o("closed"),tone:"plain",form:"bars",pattern:"columns"},{name:"interrupted",values:o("interrupted"),tone:"doubt",form:"bars",pattern:"grid"},{name:"open",values:e.map(d=>Math.max(0,Number(d.started??0)-l(d)-Number(d.closed??0)-Number(d.interrupted??0))),tone:"running",form:"bars",pattern:"stripes"}]},{id:"success",title:"Success",about:"completed executions, as a share of those that ended with a verdict",unit:"share",days:n,headline:c?Wo(a("completed")/c):"–",series:[{name:"success",values:s("completed",l),tone:"ok",form:"line"}]},{id:"duration",title:"Duration",about:`from start to end, of ${t.count} that ended: half took less than p50, 95 of 100 less than p95`,unit:"seconds",days:n,headline:t.count?`p50 ${Pt(t.p50,"seconds")}, p95 ${Pt(t.p95,"seconds")}`:"–",series:[{name:"p50",values:r("p50"),tone:"running",form:"line"},{name:"p95",values:r("p95"),tone:"undo",form:"line",pattern:"dash"}]},{id:"estimate",title:"Estimate against actual",about:"summed over steps that had an estimate and succeeded",unit:"seconds",days:n,headline:a("estimated")?`${(a("actual")/a("estimated")).toFixed(1)} × the estimate`:"–",series:[{name:"estimated",values:r("estimated"),tone:"idle",form:"line",pattern:"dash"},{name:"actual",values:r("actual"),tone:"accent",form:"line"}]},{id:"retries",title:"Retries and unwinding",about:"repeated steps, and executions with undone actions",unit:"count",days:n,headline:`${Uo(a("retries"),"retry","retries")}, ${a("unwound")} unwound`,series:[{name:"retries",values:o("retries"),tone:"doubt",form:"line"},{name:"unwound",values:o("unwound"),tone:"undo",form:"line",pattern:"dash"}]},{id:"waiting",title:"Waiting for people",about:`from each question to its answer, summed; ${Uo(a("asked"),"question")}`,unit:"seconds",days:n,headline:a("waited")?Fn(a("waited")):"–",series:[{name:"waited",values:r("waited"),tone:"waiting",form:"bars"}]},{id:"doubt",title:"In doubt",about:"actions with an unknown outcome",unit:"count",days:n,headline:`${a("in_doubt")} ${a("in_doubt")===1?"action":"actions"}`,series:[{name:"in doubt",values:o("in_doubt"),tone:"doubt",form:"bars",pattern:"hatch"}]}]}function Ud(e){return{header:["day",...e.series.map(t=>t.name)],rows:e.days.map((t,n)=>[t,...e.series.map(o=>o.values[n])])}}function Wd(e){let t=e.flatMap(n=>n.series.map(o=>({name:`${n.id}: ${o.name}${n.unit==="seconds"?" (s)":""}`,values:o.values})));return{header:["day",...t.map(n=>n.name)],rows:(e[0]?.days??[]).map((n,o)=>[n,...t.map(r=>r.values[o])])}}function Pt(e,t){return e==null?"–":t==="seconds"?Fn(Number(e)):t==="share"?Wo(e):String(e)}function Fn(e){return e===0?"0":e<1?`${Math.round(e*1e3)} ms`:e<120?`${Ho(e)} s`:e<7200?`${Ho(e/60)} min`:e<172800?`${Ho(e/3600)} h`:`${Ho(e/86400)} d`}function Ko(e,t){return ln(e)?new Intl.DateTimeFormat("en-GB",{day:"numeric",month:"short",hour:"2-digit",minute:"2-digit",timeZone:t}).format(Date.parse(e)):e}function Vd(e={},t={}){return Object.entries(e).sort((n,o)=>o[1]-n[1]).slice(0,Kd).map(([n,o])=>({name:n,value:o,text:t[n]?.calls?`${o} of ${t[n].calls}`:String(o),tone:"failed"}))}function Gd(e={}){return Object.entries(e).sort((t,n)=>n[1]-t[1]).map(([t,n])=>({name:Pg[t]??t,value:n,text:String(n),tone:"failed"}))}function Jd(e={}){return Object.entries(e).filter(([,t])=>t.compared).map(([t,n])=>{let[o,r]=[Number(n.estimated??0),Number(n.actual??0)];return{name:t,value:o?r/o:0,text:`${jg(r,o)} (${Fn(r)} for ${Fn(o)})`,tone:r>o?"doubt":"ok"}}).sort((t,n)=>n.value-t.value).slice(0,Kd)}function Yd(e={}){return{header:["agent","executions","success","failed","interrupted","actions","failed actions","in doubt","undone","p50","p95"],rows:Object.entries(e).map(([t,n])=>{let{started:o=0,completed:r=0,failed:s=0,cancelled:a=0,interrupted:l=0,actions:c=0,failures:d=0,undos:u=0,in_doubt:p=0,durations:f}=n,$=r+s+a;return[t,o,$?Wo(r/$):null,s,l,c,d,p,u,an(f.p50),an(f.p95)]})}}function Xd(e={}){let t=Object.entries(e).sort((n,o)=>(o[1].durations.p95??-1)-(n[1].durations.p95??-1));return{header:["tool","calls","failed","in doubt","p50","p90","p95","longest"],rows:t.map(([n,{calls:o=0,failed:r=0,in_doubt:s=0,durations:{p50:a,p90:l,p95:c,longest:d}}])=>[n,o,r,s,an(a),an(l),an(c),an(d)])}}function Qd(e={}){return Object.entries(e).map(([t,{observed:n=0,claimed:o=0,in_doubt:r=0}])=>{let s=n+o,a=r?`, ${r} in doubt`:"";return{name:t||"unknown",value:s?n/s:0,tone:"ok",text:s?`${Wo(n/s)} of ${s}${a}`:"no calls"}})}function Zd({executions:e=0,actions:t=0,whole_from:n="",detail_from:o=""}){let r=`Of ${Uo(e,"execution")} and ${Uo(t,"action")}.`,s=n?` What started before ${n.slice(0,10)} was not looked at.`:"",a=o?` Retries, estimates, failures and coverage are of what was done since ${o.slice(0,10)}.`:"";return r+s+a}var Wo,Ho,ln,Kd,Pg,jg,an,Uo,Vo=T(()=>{Wo=e=>`${Math.round(e*1e3)/10} %`;Ho=e=>String(Math.round(e*10)/10),ln=e=>(e??"").includes("T");Kd=12;Pg={timed_out:"timed out",rate_limited:"too many requests",no_connection:"no connection",not_permitted:"not permitted",not_found:"not found",conflict:"conflict, exists already",invalid:"invalid request",server_error:"server error",out_of_space:"out of disk or memory",cancelled:"cancelled, interrupted",exit_code:"exit code only",other:"something else",no_text:"no error text"};jg=(e,t)=>`${(e/t).toFixed(1)} ×`;an=e=>e===void 0?null:Fn(Number(e));Uo=(e,t,n=`${t}s`)=>`${e} ${e===1?t:n}`});function eu(e){let t=document.createElement("span");t.hidden=!0,e.append(t);let n=s=>(t.style.color=`var(${s})`,getComputedStyle(t).color),o={};for(let s of["ok","failed","doubt","waiting","running","undo","idle"])o[s]=n(`--${s}-fill`);o.accent=n("--accent");let r={line:n("--line"),faint:n("--ink-faint"),surface:n("--surface"),sans:getComputedStyle(e).fontFamily};return t.remove(),{...r,of:s=>o[s]??o.idle}}function tu(e,t){let n=t.of(e.tone);if(!e.pattern)return n;let o=8,r=Object.assign(document.createElement("canvas"),{width:o,height:o}),s=r.getContext("2d");if(!s)return n;if(s.fillStyle=n,s.fillRect(0,0,o,o),s.strokeStyle=s.fillStyle=t.surface,s.lineWidth=2,e.pattern==="hatch")for(let a of[-o,0,o])s.beginPath(),s.moveTo(a,o),s.lineTo(a+o,0),s.stroke();else e.pattern==="stripes"?(s.fillRect(0,0,o,2),s.fillRect(0,4,o,2)):e.pattern==="columns"?(s.fillRect(0,0,2,o),s.fillRect(4,0,2,o)):e.pattern==="grid"?(s.fillRect(0,0,o,1),s.fillRect(0,0,1,o)):(s.beginPath(),s.arc(o/2,o/2,1.5,0,7),s.fill());return a=>a.ctx.createPattern(r,"repeat")}var nu=T(()=>{});function ru({figure:e}){let t=C(null),[n,o]=h(null),r=ko(dl),s=be("theme"),a=tt(),[l,c]=h(!1);return _(()=>{let d=matchMedia("(prefers-color-scheme: dark)"),u=()=>c(p=>!p);return d.addEventListener("change",u),()=>d.removeEventListener("change",u)},[]),we(()=>{let d=t.current;if(!d||!r)return;let u=new r(Ug(r,e,d,a,o),zg(e),d),p=new ResizeObserver(()=>u.setSize({width:d.clientWidth,height:ou}));return p.observe(d),()=>{p.disconnect(),u.destroy()}},[r,e,s,l,a]),i`<div class="plot">
    <p class="plot-readout" aria-hidden="true">
      ${n===null?i`<span class="plot-legend">${e.series.map(d=>i`<span><i class=${`swatch swatch-${d.form} pattern-${d.pattern??"plain"} tone-${d.tone}`}></i>${d.name}</span>`)}</span>`:i`<strong>${Ko(e.days[n],a)}</strong> ${e.series.map(d=>i`<span>${d.name} ${Pt(d.values[n],e.unit)}</span>`)}`}
    </p>
    <div class="plot-canvas" ref=${t} role="img" aria-label=${`${e.title}, ${e.headline}; the table holds the values`}></div>
  </div>`}function iu(e){let t=e.days.map(()=>0);return e.series.map(n=>!e.stacked||n.form!=="bars"?n.values:(t=t.map((o,r)=>Number(o)+Number(n.values[r]??0)),t))}function au(e){let t=e.series.map((o,r)=>({series:o,index:r})).filter(o=>o.series.form==="bars").reverse(),n=e.series.map((o,r)=>({series:o,index:r})).filter(o=>o.series.form==="line");return[...t,...n]}function zg(e){let t=iu(e);return[e.days.map(n=>Date.parse(n)/1e3),...au(e).map(({index:n})=>t[n])]}function Fg(e){let t=iu(e).flat().filter(a=>Number(a)>0).map(Number),[n,o]=[Math.min(...t),Math.max(0,...t)],r=e.series.every(a=>a.form==="line");if(e.unit==="seconds"&&r&&o>n*qg)return{distr:3,range:()=>[10**Math.floor(Math.log10(n)),10**Math.ceil(Math.log10(o))]};let s=e.unit==="count"?4:1;return{range:()=>[0,e.unit==="share"?1:Math.max(o,s)*1.08]}}function Hg(e,t){let n=new Intl.DateTimeFormat("en-GB",{day:"numeric",month:"short",timeZone:t}),o=new Intl.DateTimeFormat("en-GB",{hour:"2-digit",minute:"2-digit",timeZone:t}),r=s=>e&&o.format(s)!=="00:00"?o.format(s):n.format(s);return{space:64,size:24,incrs:e?[1,2,3,6,12,24].map(s=>s*Kr):[1,2,7,14,30,90].map(s=>s*su),values:(s,a)=>a.map(l=>r(l*1e3))}}function Ug(e,t,n,o,r){let s=eu(n),a=`11px ${s.sans}`,l={stroke:s.faint,font:a,grid:{stroke:s.line,width:1},ticks:{show:!1}},c=ln(t.days[0]),d=c?o:"Etc/UTC",u=(c?Kr:su)/2,p=Fg(t);return{width:n.clientWidth,height:ou,legend:{show:!1},tzDate:f=>e.tzDate(new Date(f*1e3),d),cursor:{y:!1,drag:{setScale:!1,x:!1,y:!1},points:{size:6}},hooks:{setCursor:[f=>r(f.cursor.idx??null)]},scales:{x:{range:(f,$,b)=>[$-u,b+u]},y:p},axes:[{...l,grid:{show:!1},...Hg(c,d)},{...l,size:56,space:36,...p.distr?{}:{incrs:Bg[t.unit]},values:(f,$)=>$.map(b=>b===null?"":Pt(b,t.unit))}],series:[{},...au(t).map(({series:f})=>({label:f.name,stroke:s.of(f.tone),width:f.form==="line"?1.75:0,spanGaps:!1,dash:f.pattern==="dash"?[5,4]:void 0,fill:f.form==="bars"?tu(f,s):void 0,paths:f.form==="bars"?e.paths.bars({size:[.72,28],radius:.12}):e.paths.linear(),points:{show:f.form==="line",size:4}}))]}}var ou,Kr,su,qg,Bg,lu=T(()=>{k();ar();et();$t();Vo();nu();ou=168,Kr=3600,su=24*Kr,qg=50,Bg={count:[1,2,5,10,20,50,100,200,500,1e3,2e3,5e3,1e4,5e4],seconds:[.1,.5,1,2,5,10,15,30,60,120,300,600,900,1800,3600,7200,10800,21600,43200,86400,172800,604800],share:[.25,.5]}});function cu({figure:e}){let[t,n]=h(!1),o=i`
    <${v} kind="ghost" icon="table" pressed=${t} label=${`${e.title} as a table`} onClick=${()=>n(!t)} />
    <${v} kind="ghost" icon="export" label=${`${e.title} as CSV`} onClick=${()=>Wg(e)} />`;return i`<${D} class="figure" title=${e.title} actions=${o} data-testid=${`figure-${e.id}`}>
    <p class="figure-number num">${e.headline}</p>
    <p class="figure-about soft">${e.about}</p>
    ${t?i`<${Kg} figure=${e} />`:i`<${ru} figure=${e} />`}
  <//>`}function Wg(e){let{header:t,rows:n}=Ud(e);Ye(`tallystick-${e.id}.csv`,rn(t,n),"text/csv")}function Kg({figure:e}){let t=tt();return i`<div class="figure-table" role="region" aria-label=${`${e.title}, values`} tabindex="0">
    <table class="table">
      <thead><tr><th scope="col">${ln(e.days[0])?"hour":"day"}</th>${e.series.map(n=>i`<th scope="col" class="right">${n.name}</th>`)}</tr></thead>
      <tbody>${e.days.map((n,o)=>i`<tr key=${n}><th scope="row">${Ko(n,t)}</th>${e.series.map(r=>i`<td class="right num">${Pt(r.values[o],e.unit)}</td>`)}</tr>`).reverse()}</tbody>
    </table>
  </div>`}function Hn({title:e,about:t,rows:n,none:o,id:r}){let s=Math.max(1,...n.map(l=>l.value)),a=i`<${v} kind="ghost" icon="export" label=${`${e} as CSV`}
    onClick=${()=>Ye(`tallystick-${r}.csv`,rn(["name","value","text"],n.map(l=>[l.name,l.value,l.text])),"text/csv")} />`;return i`<${D} class="figure" title=${e} actions=${a} data-testid=${`figure-${r}`}>
    <p class="figure-about soft">${t}</p>
    ${n.length?i`<table class="figure-bars"><tbody>${n.map(l=>i`<tr key=${l.name}>
          <th scope="row" title=${_e(l.name)}><${m} text=${l.name} /></th>
          <td><svg class=${`figure-bar tone-${l.tone}`} viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true"><rect width=${l.value/s*100} height="10" /></svg></td>
          <td class="right num">${l.text}</td></tr>`)}</tbody></table>`:i`<p class="soft figure-none">${o}</p>`}
  <//>`}function Vr({title:e,about:t,id:n,data:{header:o,rows:r},none:s}){let a=i`<${v} kind="ghost" icon="export" label=${`${e} as CSV`} onClick=${()=>Ye(`tallystick-${n}.csv`,rn(o,r),"text/csv")} />`;return i`<${D} class="figure figure-wide" title=${e} actions=${a} data-testid=${`figure-${n}`}>
    <p class="figure-about soft">${t}</p>
    ${r.length?i`<div class="figure-scroll" role="region" aria-label=${e} tabindex="0"><table class="table">
          <thead><tr>${o.map((l,c)=>i`<th scope="col" class=${c?"right":null}>${l}</th>`)}</tr></thead>
          <tbody>${r.map(([l,...c])=>i`<tr key=${l}><th scope="row"><${m} text=${String(l)} /></th>
            ${c.map(d=>i`<td class=${Q("right num",!d&&"faint")}>${d??"–"}</td>`)}</tr>`)}</tbody>
        </table></div>`:i`<p class="soft figure-none">${s}</p>`}
  <//>`}var du=T(()=>{Wr();Nn();k();j();$t();Vo();lu()});var pu={};Me(pu,{Page:()=>Jg});function Jg({query:e}){let t=e.get("days")||"",n=t==="1"?"hour":"",o=Object.fromEntries(uu.map(([u])=>[u,e.get(u)||""])),{data:r,problem:s,reload:a}=P({by:[t,...Object.values(o)],kinds:Gg},u=>E("/v1/series",{days:t,by:n,...o},{signal:u})),l=ie(()=>Hd(r?.days??[],r?.durations),[r]),c=r&&!r.days.some(u=>u.started),d=()=>{let{header:u,rows:p}=Wd(l);Ye(`tallystick-stats-${t?`${t}-days`:"all"}.csv`,rn(u,p),"text/csv")};return i`<div class="page stats">
    <div class="page-head">
      <h1>Stats</h1>
      <${oe} label="Days" value=${t} choices=${Vg} onChange=${u=>J({days:u})} />
      ${uu.map(([u,p])=>i`<${Yg} key=${u} name=${u} word=${p} value=${o[u]} />`)}
      <div class="page-head-end"><${v} icon="export" disabled=${!r} onClick=${d}>Export as CSV<//></div>
    </div>
    <${L} problem=${s} retry=${a} />
    ${r?c?i`<${D}><${q} icon="stats" title="Nothing was started."><p>Choose more days, or fewer filters.</p><//><//>`:i`<div class="figures">
            ${l.map(u=>i`<${cu} key=${u.id} figure=${u} />`)}
            <${Hn} id="failures" title="Failures by tool" about="actions that ended with failed, of all calls of the tool" rows=${Vd(r.failures,r.tools)} none="No tool failed." />
            <${Hn} id="errors" title="Failures by kind of error" about="estimated from the texts of the newest failures" rows=${Gd(r.errors)} none="Nothing failed." />
            <${Hn} id="estimates" title="Estimate against actual, by tool" about="steps that had an estimate and succeeded: how many times as long they took" rows=${Jd(r.tools)} none="No step with an estimate succeeded." />
            <${Hn} id="coverage" title="Coverage by client" about="calls that a hook, a gateway or an adapter saw; the others were only claimed" rows=${Qd(r.coverage)} none="No call was recorded." />
            <${Vr} id="agents" title="Agents side by side" about="executions by the agent that started them; success is the share of those that ended with a verdict" data=${Yd(r.agents)} none="No agent started anything." />
            <${Vr} id="tools" title="Durations by tool" about="of calls that ended: half took less than p50, 90 and 95 of 100 less than p90 and p95" data=${Xd(r.tools)} none="No call was recorded." />
          </div>
          <p class="soft">${Zd(r)}${r.by==="day"?" Days are in UTC.":""}</p>`:!s&&i`<${B} />`}
  </div>`}function Yg({name:e,word:t,value:n}){return i`<label class="inline-field"><span>${t}</span>
    <input type="text" size="12" value=${n} placeholder="all" spellcheck="false" onChange=${o=>J({[e]:o.target.value.trim()})} /></label>`}var Vg,uu,Gg,fu=T(()=>{V();du();Vo();Wr();Nn();k();Z();z();j();Vg=[["","All"],["1","Today"],["7","7 days"],["30","30 days"],["90","90 days"]],uu=[["task_id","Task"],["actor","Agent"],["client","Client"]],Gg=["execution_","approval_decided"]});function Gr(e){let t=Qg(e);if(!t)return t;let n=[...e.undos.values()],o=Xg.find(([,s])=>n.some(a=>s.has(a)))?.[0]??t,r=o==="undone"&&e.cancellable==="partially-reversible"?"partly":o;return e.kept&&r!=="undone"?"kept":r}function Qg(e){return e.kind==="undo"||e.undoes.length||e.effect==="read"||e.state==="skipped"||e.state==="failed"&&e.withoutEffect?"":e.cancellable==="irreversible"?"not_possible":e.whileUnwinding?"may_be_undo":"not_undone"}var Xg,$u=T(()=>{Xg=[["undone",new Set(["ok"])],["undoing",new Set(["open"])],["in_doubt",new Set(["unknown","doubted"])],["failed",new Set(["failed"])]]});function mu(){return{seq:0,at:"",status:"",planId:"",revision:0,steps:new Map,actions:new Map,approvals:new Map,decisions:[],context:new Map}}function tb(e,t){e.seq=t.seq,e.at=t.at,$b[t.kind]?.(e,t,t.facts??{},t.body??{})}function hu(e){return[...e.actions.values()].map(t=>({action:t,word:Gr(t)})).filter(({word:t})=>t&&t!=="undone"&&t!=="kept").sort((t,n)=>+(t.word==="may_be_undo")-+(n.word==="may_be_undo")||n.action.seq-t.action.seq)}function Jr(e,t){let n=e.steps.get(t),o=n?.status==="done"?e.actions.get(n.action):void 0;return o&&Gr(o)==="undone"&&[...o.undos].some(([a,l])=>l==="ok"&&e.actions.get(a)?.kind==="undo")?"undone":n?.status||"planned"}function gu(e){let t=new Set(["open","doubted","unknown"]);return[...e.actions.values()].filter(n=>t.has(n.state))}function nb(e,t,n){e.status="running",e.planId=n.plan_id??"",e.revision=n.revision??0}function ob(e,t,n){e.status=n.status}function sb(e,t,n,o){let r={id:t.id,state:"open",seq:t.seq,at:t.at,endSeq:0,ended:"",kind:n.action_kind??"do",undoes:n.undoes?[n.undoes,...n.undoes_too??[]]:[],kept:!1,tool:n.tool??"",step:n.step??"",effect:n.effect??"unsafe",cancellable:n.cancellable??"",attempt:n.attempt??1,summary:typeof o.summary=="string"?o.summary:"",actor:t.actor,witness:t.witness,withoutEffect:!1,whileUnwinding:!!n.while_unwinding,undos:new Map};e.actions.set(r.id,r),Yr(e,n),Jo(e,r,!0)}function rb(e,t,n){let o=e.actions.get(t.id);if(!o)return;let r=n.contradicts?"doubted":n.outcome,s=o.state==="failed"&&r==="failed";if(o.withoutEffect=!!n.without_effect||s&&o.withoutEffect,n.contradicts){o.kept=!1;for(let[d,u]of o.undos)["ok","failed","skipped"].includes(u)&&o.undos.delete(d)}let a=o.state==="ok"&&r!=="ok",l=o.state===r&&["ok","failed","skipped"].includes(r);o.state=r,o.endSeq=t.seq,l||(o.ended=t.at);let c=r==="skipped"&&(t.witness==="observed"||!!n.settles);Jo(e,o,!1,a,c)}function ib(e,t){let n=e.actions.get(t.id);n&&(n.state="doubted",Jo(e,n,!1))}function ab(e,t,n){let o=n.call?e.actions.get(t.id):void 0;o&&(t.witness==="observed"&&(o.witness="observed"),n.effect&&(o.effect=n.effect,o.tool=n.tool??"",n.step&&bu(e,o,{step:n.step})),Yr(e,n))}function lb(e,t,n,o){let r=typeof o.why=="string"?o.why:"";if(e.decisions.push({seq:t.seq,at:t.at,decision:n.decision,why:r,step:n.step??"",actor:n.credential||t.actor}),n.decision==="keep"){for(let l of n.kept??[])cb(e,l);return}if(n.action_id){let l=e.actions.get(n.action_id);l&&bu(e,l,n),Yr(e,{approval_id:n.used});return}let s=n.step?yu(e,n.step):void 0;s&&n.decision==="skip"&&(s.status="skipped"),s&&(s.decided=n.decision);let a=e.approvals.get(n.approval_id);a&&(a.blocks=!0),n.decision==="replan"&&n.revision&&(e.revision=n.revision),eb.has(e.status)||(e.status=n.status)}function bu(e,t,n){t.step||t.undoes.length||t.kind==="undo"||(t.whileUnwinding=!1,t.step=n.step??"",t.cancellable||=n.cancellable??"",t.undoes=n.undoes?[n.undoes,...n.undoes_too??[]]:[],n.undoes&&!n.step&&(t.kind="undo"),t.attempt=n.step?(e.steps.get(n.step)?.attempts??0)+1:1,Jo(e,t,!0))}function cb(e,t){let n=e.actions.get(t);n&&(n.kept=!0)}function db(e,t,n,o){let r=typeof o.question=="string"?o.question:"";e.approvals.set(t.id,{seq:t.seq,question:r,tool:n.tool??"",status:"pending",blocks:!1})}function ub(e,t,n){let o=e.approvals.get(t.id);if(!o)return;o.status=n.verdict;let r=[...e.approvals.values()].some(s=>s.blocks&&s.status==="pending");e.status==="blocked"&&!r&&(e.status="running")}function pb(e,t,n,o){e.context.set(n.key,{seq:t.seq,value:o.null?null:o.value})}function Yr(e,t){let n=t.approval_id?e.approvals.get(t.approval_id):void 0;n&&["approve","edit"].includes(n.status)&&(n.status="used")}function yu(e,t){let n=e.steps.get(t)??{status:"planned",attempts:0,action:"",decided:""};return e.steps.set(t,n),n}function Jo(e,t,n,o=!1,r=!1){for(let l of t.undoes){let c=e.actions.get(l);c&&(n||o)&&(c.kept=!1),c?.undos.set(t.id,t.state)}if(t.kind!=="do"||!t.step)return;let s=yu(e,t.step),a=r?"planned":Zg[t.state];!n&&fb(s,t,a)||Object.assign(s,{status:a,action:t.id,attempts:s.attempts+(n?1:0),decided:""})}function fb(e,t,n){return e.action&&e.action!==t.id?n!=="done":e.decided==="skip"&&(n==="in_doubt"||n==="planned")}var Zg,eb,Go,$b,Xr=T(()=>{$u();Zg={open:"running",ok:"done",failed:"failed",skipped:"skipped",unknown:"in_doubt",doubted:"in_doubt"},eb=new Set(["completed","failed","cancelled","closed"]);Go=class{constructor(t){this.entries=t,this.folded=0,this.state=mu()}at(t){for(t<this.folded&&(this.folded=0,this.state=mu());this.folded<t;this.folded+=1)tb(this.state,this.entries[this.folded]);return this.state}countTo(t){let n=this.entries.findIndex(o=>o.seq>t);return n<0?this.entries.length:n}};$b={execution_started:nb,execution_ended:ob,action_begun:sb,action_ended:rb,action_doubted:ib,action_noted:ab,decision_recorded:lb,approval_requested:db,approval_decided:ub,context_recorded:pb}});function xu(e){let[t,n]=h({entries:[],complete:!1,problem:null}),[o,r]=h(0);return Le(s=>s?.kind==="body_erased"&&r(a=>a+1)),_(()=>{let s=new AbortController;return n({entries:[],complete:!1,problem:null}),hb(e,s.signal,(a,l)=>n({entries:a,complete:l,problem:null})).catch(a=>!s.signal.aborted&&n(l=>({...l,problem:a}))),()=>s.abort()},[e,o]),t}async function hb(e,t,n){let o=[],r=0;for(;;){let s=await E("/v1/entries",{execution_id:e,after:r,limit:mb},{signal:t});if(o=[...o,...s.entries],r=s.last_seq,n(o,!s.more),!s.more)return}}function Yo(e){let{facts:t={},body:n}=e,o=t.channel==="client"?"A client answered":bb[e.kind]??e.kind.replaceAll("_"," "),r=[t.outcome,t.decision?.replaceAll("_"," "),t.verdict,t.status&&e.kind==="execution_ended"?t.status:"",t.tool,t.step&&`step ${t.step}`,t.key],s=n?.summary||n?.why||n?.question||n?.error||n?.reason||"";return{word:o,what:r.filter(Boolean).join(" · "),text:typeof s=="string"?s:ne(s)}}function Xo(e){return e.kind==="action_ended"&&e.facts?.outcome==="failed"?"failed":e.kind==="action_doubted"||e.facts?.outcome==="unknown"?"in_doubt":e.kind==="decision_recorded"?"decision":e.kind.startsWith("approval_")?"approval":""}var mb,gb,_u,bb,Qo=T(()=>{V();k();Ne();Z();mb=1e3;gb=new Set(["action_begun","action_ended","decision_recorded","approval_requested","context_recorded"]),_u=e=>e.findIndex(t=>gb.has(t.kind))+1,bb={execution_started:"The execution started",execution_ended:"The execution ended",action_begun:"An action began",action_ended:"An action ended",action_doubted:"An action is in doubt",action_noted:"A note on an action",decision_recorded:"A decision",approval_requested:"A person is asked",approval_decided:"A person answered",context_recorded:"A context value is recorded"}});function vu({entry:e,execution:t}){let{word:n,what:o,text:r}=Yo(e);return i`<${D} class="now-entry" title=${n} actions=${i`<a href=${x(`/x/${t}`,{tab:"journal",entry:e.seq})}>entry ${e.seq}</a>`}>
    <p class="now-what"><strong><${m} text=${o} /></strong></p>
    ${r&&i`<p class="now-text"><${Re} text=${r} /></p>`}
    <p class="soft now-about"><span><${m} text=${e.facts?.credential||e.actor} /></span><${Xe} witness=${e.witness} /><${N} at=${e.at} form="absolute" /></p>
    ${e.body&&i`<details><summary>Details</summary><${re} value=${e.body} label="body" /></details>`}
  <//>`}function wu({state:e,steps:t,entry:n}){if(!t.length)return null;let o=(...s)=>t.filter(a=>s.includes(Jr(e,a.id))).length,r={done_steps:o("done","undone"),undone_steps:o("undone"),skipped_steps:o("skipped"),total_steps:t.length};return i`<${D} flush title=${`Plan, revision ${e.revision}`} actions=${i`<span class="soft num">${st(r)}</span>`}>
    <ul class="then">
      ${t.map(s=>{let a=e.steps.get(s.id);return i`<li key=${s.id} class=${n.facts?.step===s.id?"is-now":null}>
          <${W} state=${Jr(e,s.id)} quiet />
          <span class="then-text"><${m} text=${s.title||s.id} /></span>
          ${a&&a.attempts>1?i`<span class="soft">attempt ${a.attempts}</span>`:null}
        </li>`})}
    </ul>
  <//>`}function ku({state:e,now:t}){let n=gu(e);return i`<${D} flush title="Open or in doubt" actions=${i`<span class="soft num">${n.length}</span>`}>
    ${n.length?i`<ul class="then">${n.slice(-50).map(o=>i`<li key=${o.id} class=${o.id===t?"is-now":null}>
          <${W} state=${o.state} quiet /><span class="then-text"><${m} text=${o.summary||o.tool||o.id} /></span>
          <code class="soft">${o.id}</code></li>`)}</ul>`:i`<p class="then-none">No open actions.</p>`}
  <//>`}function Su({state:e,now:t}){let n=hu(e);return i`<${D} flush title="Undo list" actions=${i`<span class="soft num">${n.length}</span>`}>
    ${n.length?i`<ul class="then">${n.slice(0,50).map(({action:o,word:r})=>i`<li key=${o.id} class=${o.id===t?"is-now":null}>
          <${W} state=${r} quiet /><span class="then-text"><${m} text=${o.summary||o.tool||o.id} /></span>
          ${o.state!=="ok"&&i`<span class="soft">may have happened</span>`}</li>`)}</ul>`:i`<p class="then-none">Nothing to undo.</p>`}
  <//>`}function Tu({state:e}){let t=[...e.approvals.entries()];return i`<${D} flush title="Decisions and approvals" actions=${i`<span class="soft num">${e.decisions.length+t.length}</span>`}>
    ${e.decisions.length||t.length?i`<ul class="then">
          ${t.map(([n,o])=>i`<li key=${n} class=${o.seq===e.seq?"is-now":null}><${W} state=${o.status} quiet /><a class="then-text" href=${x(`/approvals/${n}`)}><${m} text=${o.question||n} /></a></li>`)}
          ${e.decisions.toReversed().slice(0,50).map(n=>i`<li key=${n.seq} class=${n.seq===e.seq?"is-now":null}>
            <strong>${n.decision.replaceAll("_"," ")}</strong><span class="then-text soft"><${m} text=${n.why} /></span></li>`)}
        </ul>`:i`<p class="then-none">Nothing yet.</p>`}
  <//>`}var Eu=T(()=>{k();z();j();je();Xr();Qo()});function Mu({entries:e,complete:t,at:n,onMove:o,playing:r,onPlay:s,speed:a,onSpeed:l}){let c=e.length,d=$=>(s(!1),o(Math.max(1,Math.min(c,$)))),u=$=>{let b=$>0?e.findIndex((g,M)=>M>=n&&Xo(g)):e.slice(0,n-1).findLastIndex(g=>Xo(g));b>=0&&d(b+1)};wb(r,Number(a),()=>n<c?o(n+1):s(!1)),fe("Replay",{Space:{label:"play or stop",run:()=>s(!r)},ArrowRight:{label:"next entry",run:()=>d(n+1)},ArrowLeft:{label:"previous entry",run:()=>d(n-1)},l:{label:"next mark: a failure, a doubt, a decision, an approval",run:()=>u(1)},h:{label:"previous mark",run:()=>u(-1)},Home:{label:"to the first entry",run:()=>d(1)},End:{label:"to the last entry",run:()=>d(c)}});let p=e[n-1],f=p?Yo(p):{word:"",what:""};return i`<div class="track">
    <div class="track-buttons">
      <${v} kind="ghost" icon="first" label="To the first entry" onClick=${()=>d(1)} />
      <${v} kind="ghost" icon="left" label="Previous entry" onClick=${()=>d(n-1)} />
      <${v} kind="primary" icon=${r?"paused":"running"} onClick=${()=>s(!r)} class="track-play">${r?"Stop":n>=c?"Play again":"Play"}<//>
      <${v} kind="ghost" icon="right" label="Next entry" onClick=${()=>d(n+1)} />
      <${oe} label="Entries per second" value=${a} choices=${yb} onChange=${l} />
      <span class="track-place num">entry ${n} of ${c}${t?"":" read so far"}</span>
    </div>
    <div class="track-line">
      <${_b} entries=${e} />
      <input type="range" min="1" max=${Math.max(1,c)} step="1" value=${n} aria-label="Entry" data-testid="scrubber"
        aria-valuetext=${`entry ${n} of ${c}: ${f.word} ${f.what}`} onInput=${$=>d(Number($.target.value))} />
    </div>
    <p class="track-legend soft">
      <span><i class="mark mark-failed"></i> failed</span><span><i class="mark mark-in_doubt"></i> in doubt</span>
      <span><i class="mark mark-decision"></i> decision</span><span><i class="mark mark-approval"></i> approval</span>
      <span class="track-keys"><${Be} keys="h" /> <${Be} keys="l" /> between marks, <${Be} keys="Space" /> to play</span>
    </p>
  </div>`}function _b({entries:e}){let t=e.map((r,s)=>({kind:Xo(r),index:s})).filter(r=>r.kind),n=Math.ceil(t.length/xb),o=r=>e.length>1?r/(e.length-1)*1e3:0;return i`<svg class="track-marks" viewBox="0 0 1000 12" preserveAspectRatio="none" aria-hidden="true">
    ${t.filter((r,s)=>s%n===0).map(r=>i`<path key=${r.index} class=${`mark-${r.kind}`} d=${`M${o(r.index)} ${vb[r.kind]}V12`} vector-effect="non-scaling-stroke" />`)}
  </svg>`}function wb(e,t,n){let o=C(n);o.current=n,_(()=>{if(!e)return;let r=setInterval(()=>o.current(),1e3/t);return()=>clearInterval(r)},[e,t])}var yb,xb,vb,Cu=T(()=>{k();Ce();j();Qo();yb=[["1","1/s"],["4","4/s"],["20","20/s"]],xb=400;vb={failed:0,in_doubt:2,approval:5,decision:7}});var Au={};Me(Au,{Page:()=>Sb});function Sb({id:e,query:t}){let{entries:n,complete:o,problem:r}=xu(e),s=P({by:[e],kinds:["execution_ended"]},A=>E(`/v1/executions/${encodeURIComponent(e)}/status`,{limit:1},{signal:A})),a=s.data?.execution,l=P({by:[a?.plan_id??""],kinds:["plan_recorded"]},A=>a?.plan_id?E(`/v1/plans/${a.plan_id}`,{},{signal:A}):Promise.resolve(null)),c=be("zone"),[d,u]=h(0),[p,f]=h(!1),[$,b]=h("4"),g=ie(()=>new Go(n),[n]),M=Number(t.get("at"))||0;_(()=>{d||!n.length||!o&&n[n.length-1].seq<M||u(Math.max(1,M?g.countTo(M):_u(n)))},[n,o]),_(()=>{if(!d||p)return;let A=setTimeout(()=>J({at:n[d-1]?.seq},{replace:!0}),kb);return()=>clearTimeout(A)},[d,p]);let w=A=>{A&&d>=n.length&&u(1),f(A)},y=Math.min(d,n.length),O=n[y-1],I=O?g.at(y):null,R=l.data?.revisions.find(A=>A.revision===I?.revision)?.steps??[];return i`<div class="page replay">
    <header class="replay-head">
      <p><a class="back" href=${x(`/x/${e}`)}>Current state of the execution</a></p>
      <div class="page-head">
        <h1>Replay of <${m} text=${a?.title||e} /></h1>
        ${I?.status&&i`<${W} state=${I.status} />`}
        ${O&&i`<time class="soft num" dateTime=${O.at}>${Gt(O.at,c)}</time>`}
      </div>
    </header>
    <${L} problem=${r||s.problem} />
    ${!O||!I?!r&&i`<${B} what=${n.length?`Reading, ${n.length} entries so far`:"Reading"} />`:i`
        <${Mu} entries=${n} complete=${o} at=${y} onMove=${u} playing=${p} onPlay=${w} speed=${$} onSpeed=${b} />
        ${!o&&i`<p class="soft" role="status">Reading on: ${n.length} entries so far.</p>`}
        <div class="replay-body">
          <div><${vu} entry=${O} execution=${e} /><${Tu} state=${I} /></div>
          <div><${wu} state=${I} steps=${R} entry=${O} /><${ku} state=${I} now=${O.id} /></div>
          <div><${Su} state=${I} now=${O.id} /></div>
        </div>
        <p class="soft">A doubt appears with the entry that records it. Owed actions are listed newest first; the page of the execution has the order to undo them.</p>`}
  </div>`}var kb,Ou=T(()=>{V();k();Z();Xr();Eu();Qo();Cu();z();et();j();kb=300});async function Iu(e,t){let n=[],o=0;for(let r=!0;r;){let s=await E("/v1/export",{after:o,limit:Tb});n.push(...s.lines.map(a=>`${a.trimEnd()}
`)),{last_seq:o,more:r}=s,t(o)}Ye(`${e}.jsonl`,n,"application/x-ndjson")}var Tb,Nu=T(()=>{V();Nn();Tb=2e3});var Ru={};Me(Ru,{Page:()=>Eb});function Eb(){let[e,t]=h({name:"",busy:!1,read:null,problem:null}),[n,o]=h(!1),r=C(null),s=async l=>{if(!l)return;t({name:l.name,busy:!0,read:null,problem:null});let c=await Cb(l).then(d=>({read:d,problem:null}),d=>({read:null,problem:d}));t({name:l.name,busy:!1,...c})};return i`<div class="page import">
    <div class="page-head"><h1>Open an export</h1></div>
    <p class="soft import-lead">Choose a JSONL file of a journal, written by <code>tallystick export</code> or by the button below, or of one
      execution, written by its page. The server verifies it as far as possible and keeps it in memory for a while. Only you see it. The journals of this server are not changed.</p>
    <div class=${`drop ${n?"is-over":""}`} onDragOver=${l=>(l.preventDefault(),o(!0))} onDragLeave=${()=>o(!1)} onDrop=${l=>{l.preventDefault(),o(!1),s(l.dataTransfer?.files[0])}}>
      <${S} name="import" size=${24} />
      <p>Drop a file here, or</p>
      <${v} kind="primary" disabled=${e.busy} onClick=${()=>r.current?.click()}>Choose a file<//>
      <input ref=${r} type="file" accept=".jsonl,.ndjson,application/x-ndjson" class="visually-hidden" tabindex="-1" aria-label="JSONL file"
        onChange=${l=>(s(l.target.files[0]),l.target.value="")} />
    </div>
    <p role="status" class="soft">${e.busy?`Reading ${e.name}…`:""}</p>
    <${L} problem=${e.problem} />
    ${e.read&&i`<${Ab} name=${e.name} read=${e.read} />`}
    <${Mb} />
  </div>`}function Mb(){let e=Ae(),[t,n]=h(""),[o,r]=h(null),s=X()||e.journal||"journal";return i`<section class="take-along" aria-labelledby="take-along">
    <h2 id="take-along">Export this journal</h2>
    <p class="soft import-lead">Every entry of <code>${s}</code>, exactly as stored. Anyone can verify the file
      with <code>tallystick verify --file ${s}.jsonl</code>, or with Python alone.</p>
    <${v} icon="export" onClick=${async()=>{r(null),await Iu(s,l=>n(`Read ${l} entries…`)).then(()=>n("The download has started."),l=>(n(""),r(l)))}}>Export the whole journal<//>
    <p role="status" class="soft">${t}</p>
    <${L} problem=${o} />
  </section>`}async function Cb(e){if(e.size>Lu)throw Object.assign(new Error(`${e.name} is larger than ${Lu/1024/1024} MB.`),{hint:"Export less, for example one execution."});return Te("/v1/imports",await e.text())}function Ab({name:e,read:t}){return i`<${D} title=${e}>
    <div class="import-result">
      ${t.verified?i`<p class="import-good"><${S} name="completed" /> The chain verifies from the first entry of this file to the last. Only a head stored elsewhere can show whether later entries are missing, or whether all of it was rewritten.</p>`:i`<p class="warning-note"><${S} name="warning" /> It does not verify: ${(t.problem||"the chain is broken").replace(/\.$/,"")}. Readable entries are shown anyway; do not rely on them.</p>`}
      <${Ie} rows=${[["entries",i`<span class="num">${t.entries}</span>`],["shown as",i`<code>${t.journal}</code>`]]} />
      <${He} kind="primary" icon="executions" href=${`/executions?journal=${encodeURIComponent(t.journal)}`}>Open it<//>
    </div>
  <//>`}var Lu,Du=T(()=>{V();Nu();k();te();z();Fe();j();Lu=32*1024*1024});var Pu={};Me(Pu,{Page:()=>Ob});function Ob(){return i`<h1 class="visually-hidden">Not found</h1>
    <${q} title="There is no page at this address.">
      <a href=${x("/executions")}>All executions</a>
    </${q}>`}var ju=T(()=>{k();z();j()});k();Bt();function Pi(){let e=null;document.addEventListener("focusin",t=>e=t.target instanceof Element?t.target:null),new MutationObserver(()=>{!e||e.isConnected||document.activeElement!==document.body||(e=null,document.getElementById("main")?.focus({preventScroll:!0}))}).observe(document.body,{childList:!0,subtree:!0})}Ce();Z();var $r={};Me($r,{Page:()=>j$});V();V();k();Z();z();j();function Pa({execution:e,task:t}){let{data:n,problem:o,reload:r}=P({by:[e,t],kinds:["context_recorded","body_erased"]},async s=>{let a=[{scope:"execution",execution_id:e},...t?[{scope:"task",task_id:t}]:[]];return(await Promise.all(a.map(c=>E("/v1/context",{...c,limit:100},{signal:s})))).flatMap(c=>c.values)});return o?i`<${L} problem=${o} retry=${r} />`:n?n.length?i`<div class="context-tab">${n.map(s=>i`<${of} key=${s.scope+s.key} value=${s} execution=${e} />`)}</div>`:i`<${q} icon="context" title="No context values for this execution."><a href=${x("/context")}>Context of the whole project</a></${q}>`:i`<${B} />`}function of({value:e,execution:t}){let[n,o]=h(!1);return i`<${D} title=${i`<code><${m} text=${e.key} /></code>`} actions=${i`<span class="faint">${e.type} · for this ${e.scope} · <${m} text=${e.actor} /> · <${N} at=${e.at} /></span>`}>
    ${e.erased||e.altered?i`<p class="soft">${e.erased?"Its text was erased.":"Its stored text was altered and is not shown."}</p>`:i`<${re} value=${e.value} label=${e.key} />`}
    ${e.versions>1&&i`<${v} kind="ghost" aria-expanded=${String(n)} onClick=${()=>o(!n)}>${n?"Hide":"Show"} its history (${e.versions})</${v}>`}
    ${n&&i`<${sf} value=${e} execution=${t} />`}
  </${D}>`}function sf({value:e,execution:t}){let n=e.scope==="execution"?{execution_id:t}:{task_id:e.scope_id},{data:o,problem:r}=P({by:[e.key,e.seq]},s=>E(`/v1/context/${encodeURIComponent(e.key)}`,{scope:e.scope,...n,limit:50},{signal:s}));return r?i`<${L} problem=${r} />`:o?i`<ol class="history">${o.values.slice(1).map(s=>i`<li key=${s.seq}><p class="faint"><${N} at=${s.at} /> by <${m} text=${s.actor} /></p><${re} value=${s.value} label=${`${e.key}, earlier`} /></li>`)}</ol>`:i`<${B} />`}k();j();function ja({coverage:e}){return e?i`<div class="coverage-tab">
    <${D} title="Recorded actions">
      <div class="seen-figures">
        <${bo} value=${e.begun} word="begun" />
        <${bo} value=${e.ended} word="finished" />
        <${bo} value=${e.open||0} word="without an end" />
        <${bo} value=${e.unplanned||0} word="unplanned" />
      </div>
      <p class="soft">Observed: a hook, a gateway or a runner saw the call. Claimed: the agent reported it. Last entry ${e.silent_for} ago.</p>
      ${e.unobserved_client&&i`<p class="warn">No events from the hooks of ${e.unobserved_client} in this conversation: its calls are not recorded. <code>tallystick setup --check</code> says why.</p>`}
      ${e.spool_behind?i`<p class="warn">${e.spool_behind} bytes of hook events are not in the journal yet.</p>`:null}
    </${D}>
    <${D} title="Observers">
      ${e.observers?.length?e.observers.map(t=>i`<div class="observer" key=${t.session}>
              <${Ie}
                rows=${[["client",i`${t.client} ${t.silent?i`<${ee} tone="failed" icon="warning">silent</${ee}>`:t.alive===!1?i`<${ee} tone="idle">ended</${ee}>`:i`<${ee} tone="ok" icon="observed">active</${ee}>`}`],["session",i`<code>${t.session}</code>`],["conversation",t.conversation],["last event",i`<${N} at=${t.last_event} />`]]}
              />
            </div>`):i`<p>No hook, gateway or adapter sees the agent of this execution: what is claimed here is only what the agent reported. To record calls by hooks, run <code>tallystick setup</code>.</p>`}
    </${D}>
  </div>`:i`<${q} title="No coverage is known." />`}function bo({value:e,word:t}){return i`<p class="seen-figure"><strong>${e??0}</strong><span>${t}</span></p>`}Jt();k();Ne();Sn();Ue();Ut();kn();En();Qt();Jt();Bt();k();te();Ne();z();Fe();Ue();Ut();kn();function Mn({about:e,acts:t,label:n,first:o,more:r,onDone:s}){let[a,l]=h(""),[c,d]=h(""),u=C(null),p=C("");if(_(()=>{let g=u.current;return()=>hf(g,!!p.current)},[]),_(()=>{if(a||!p.current)return;u.current?.querySelector(c?".act-receipt":`[data-act="${p.current}"]`)?.focus()},[a]),ke()||!t.length&&!o&&!r)return null;let f=t.find(g=>g.id===a),$=g=>(p.current=g||a,d(""),l(g)),b=g=>{let M=gf(g,e.startsWith("ex_"));ye(M,"ok"),d(M),p.current=a,l(""),s?.(g)};return i`<div class="acts" ref=${u}>
    ${!f&&i`<div class="acts-row" role="group" aria-label=${n}>
      ${o}
      ${t.map(g=>i`<${v} key=${g.id} icon=${g.icon} kind=${g.danger?"danger":"plain"} data-act=${g.id} onClick=${()=>$(g.id)}>${g.label}<//>`)}
      ${r}
    </div>`}
    ${f&&i`<${bf} key=${f.id} act=${f} about=${e} onDone=${b} onCancel=${()=>$("")} />`}
    ${c&&!f&&i`<p class="act-receipt" tabindex="-1" role="status"><${S} name="check" size=${14} /> ${c}</p>`}
  </div>`}function hf(e,t){!t&&!e?.contains(document.activeElement)||setTimeout(()=>document.activeElement===document.body&&document.getElementById("main")?.focus({preventScroll:!0}))}function gf({seq:e,repeated:t,status:n,state:o,notes:r=[]},s){let a=o?` The action is ${o==="in_doubt"?"still in doubt":o}.`:n&&s?` The execution is ${n}.`:"";return`${t?"Was recorded before":"Recorded"} as entry ${e}.${a}${r.length?` ${r.join(" ")}`:""}`}function bf({act:e,about:t,onDone:n,onCancel:o}){let r=Ae(),s=Object.fromEntries([...e.fields.map(({name:R,choices:A})=>[R,A?.[0][0]||""]),["key",""],["sent",""]]),[a,l,c]=eo(Qn("act",t,e.id),s),[d,u]=h(!1),[p,f]=h(!1),[$,b]=h(null),g=C(null),M=Ee(),w=e.fields.find(({name:R,missing:A})=>A&&!a[R]?.trim()),y=e.needs==="approve"?r.may_decide:r.scopes.some(R=>R==="agent"||R==="run");_(()=>{g.current?.querySelector("form")?.contains(document.activeElement)||(g.current?.querySelector("textarea, .choice button, [type=submit]")?.focus(),g.current?.scrollIntoView({block:"nearest"}))},[y]);let O=async R=>{if(R.preventDefault(),u(!0),w||p||!y)return;f(!0);let A=e.request(a),Y=ne(A),le=a.sent===Y&&a.key?a.key:Xt();l({sent:Y,key:le});try{let H=await e.send(A,le);c(),n(H)}catch(H){let{status:K}=H;(K===401||K===403)&&dt(),b(H),f(!1)}};return i`<div class="act" ref=${g} onKeyDown=${R=>{R.key==="Escape"&&(R.stopPropagation(),o()),R.key==="Enter"&&(R.metaKey||R.ctrlKey)&&O(R)}}>
    <form onSubmit=${O} aria-labelledby=${`${M}-title`}>
      <p class="act-title" id=${`${M}-title`}>${e.title}</p>
      ${e.note&&i`<p class="soft">${e.note}</p>`}
      ${e.fields.map(R=>i`<${yf} key=${R.name} field=${R} value=${a[R.name]} onInput=${A=>l({[R.name]:A})} />`)}
      <p class="field-problem" role="alert">${d&&w?w.missing:""}</p>
      ${$&&i`<div class="act-refusal" role="alert"><${S} name="warning" size=${14} /><span>${$.message}${$.hint&&i` <strong>${$.hint}</strong>`}</span></div>`}
      <div class="act-send">
        ${y&&i`<${v} kind=${e.danger?"danger":"primary"} type="submit" icon=${e.icon} disabled=${p}>${e.submit}<//>`}
        <${v} kind="ghost" onClick=${o}>Not yet<//>
      </div>
    </form>
    ${!y&&r.version&&i`<${xf} act=${e} />`}
    <${_f} act=${e} open=${!y} />
  </div>`}function yf({field:e,value:t,onInput:n}){let{label:o,hint:r,choices:s}=e;return s?i`<div class="field"><span>${o}</span><${oe} label=${o} value=${t} choices=${s} onChange=${n} /></div>`:i`<label class="field"><span>${o} ${r&&i`<span class="faint">${r}</span>`}</span>
    <textarea rows="2" value=${t} maxlength="2000" onInput=${a=>n(a.target.value)}></textarea></label>`}function xf({act:e}){return e.needs==="approve"?i`<p class="note">Only a person who may decide can do this. What you typed is kept.</p><${Je} />`:i`<p class="note">This is decided by whoever may record: an agent or a runner, with the scope <code>agent</code> or <code>run</code>. Your login may not. Ask the agent, or use the command where the journal is.</p>`}function _f({act:e,open:t}){let n=ht().commandLine(e.command);return i`<details class=${Q("act-command",t&&"is-needed")} open=${t}>
    <summary>At the command line</summary>
    <span class="command"><code>${n}</code><${ge} text=${n} what="the command" /></span>
  </details>`}V();Jt();var sr=(e,t)=>Te("/v1/decisions",e,{key:t}),vf=(e,t)=>Te("/v1/actions",e,{key:t}),or=(e,t)=>({name:"evidence",label:e,hint:"recorded in the journal as yours",missing:t}),_o=e=>({name:"why",label:"Reason",hint:"recorded in the journal, and shown to the agent",missing:e}),Fa="Say how you know: look at the real system first.";function Ha(e){let t={decision:"settle",action_id:e},n=r=>`record decision settle --action-id ${Ge(e)} --outcome ${r} --evidence 'how you know'`,o={needs:"approve",send:sr};return[{...o,id:"happened",label:"It happened",icon:"check",title:"It happened",submit:"Record that it happened",command:n("ok"),fields:[{name:"outcome",label:"What came of it",choices:[["ok","It succeeded"],["failed","It failed"],["without_effect","It failed and changed nothing"]]},or("How you know",Fa)],request:({outcome:r,evidence:s})=>({...t,evidence:s,...r==="without_effect"?{outcome:"failed",without_effect:!0}:{outcome:r}})},{...o,id:"not",label:"It did not",icon:"close",title:"It did not happen",submit:"Record that it did not happen",command:n("skipped"),note:"The agent may then do it again.",fields:[or("How you know",Fa)],request:({evidence:r})=>({...t,outcome:"skipped",evidence:r})},{...o,id:"unknown",label:"I cannot tell yet",icon:"in_doubt",title:"You cannot tell yet",submit:"Record what you looked at",command:n("unknown"),note:"It stays in doubt, and nobody repeats it. The next person reads what you looked at.",fields:[or("What you looked at","Say what you looked at.")],request:({evidence:r})=>({...t,outcome:"unknown",evidence:r})}]}function Ua(e){return[{id:"undid",label:"I undid it",icon:"unwinding",title:"You undid it",submit:"Record that it is undone",needs:"approve",send:vf,note:"Tallystick undoes nothing: say so only when it is done.",fields:[{name:"summary",label:"What you did, and how you checked it",missing:"Say what you did."}],request:({summary:t})=>({phase:"done",kind:"undo",undoes:e,outcome:"ok",summary:t}),command:`record action done --kind undo --undoes ${Ge(e)} --outcome ok --summary 'what you did'`},{id:"keep",label:"Keep it",icon:"save",title:"Keep it as it is",submit:"Take it off the list",needs:"approve",send:sr,note:"It is then not owed any more. Nothing is undone.",fields:[_o("Say why it is kept.")],request:({why:t})=>({decision:"keep",action_id:e,why:t}),command:`record decision keep --action-id ${Ge(e)} --why 'the reason'`}]}var wf=[["stop","Stopped"],["fail","Failed"],["done","Done"]],Cn=(e,t,n)=>({id:t,needs:"approve",send:sr,fields:[_o(`Say why you decide to ${t}.`)],request:o=>({decision:t,execution_id:e,why:o.why}),command:`record decision ${t} --execution-id ${Ge(e)} --why 'the reason'`,...n}),kf=e=>Cn(e,"stop",{id:"end",label:"End it",icon:"cancelled",danger:!0,title:"End this execution",submit:"End it for good",note:"It stays ended. Stopped and failed: what was done and is not undone is owed. Done: what is left undone is recorded with your reason.",fields:[{name:"decision",label:"How it ended",choices:wf},_o("Say why you end it.")],request:({decision:t,why:n})=>({decision:t,execution_id:e,why:n,...t==="done"?{incomplete:!0}:{}})}),Sf={running:["pause","unwind"],blocked:["pause","unwind"],paused:["resume","unwind"],unwinding:["pause"]};function Wa({id:e,status:t}){let n={pause:Cn(e,"pause",{label:"Pause",icon:"paused",title:"Pause this execution",submit:"Pause it",note:"No new action may begin. What is under way may end."}),resume:Cn(e,"resume",{label:"Resume",icon:"running",title:"Resume this execution",submit:"Resume it"}),unwind:Cn(e,"unwind",{label:"Unwind",icon:"unwinding",danger:!0,needs:"agent",title:"Unwind this execution",submit:"Unwind it",note:"What was done becomes owed, the newest first. No planned step begins any more."})},o=Sf[t];return o?[...o.map(r=>n[r]),kf(e)]:[]}var Tf=["running","blocked","unwinding"],An=e=>Tf.includes(e),Ka=(e,t)=>Cn(e,"retry",{label:"Retry",icon:"replay",needs:"agent",title:"Permit another attempt",submit:"Permit one retry",note:"It permits one repeated call of this step.",fields:[_o("Say why another attempt will do better.")],request:({why:n})=>({decision:"retry",execution_id:e,step:t,why:n}),command:`record decision retry --execution-id ${Ge(e)} --step ${Ge(t)} --why 'the reason'`});function On({action:e,onDone:t}){return i`<${Mn} about=${e} label="What came of it" acts=${Ha(e)} onDone=${t} />`}var Va="runner",Ef=["not_undone","undoing","partly","failed","may_be_undo","in_doubt"];function Ga({item:e,onDone:t}){let{action_id:n,state:o,undo:r,undone_by:s}=e;if(!Ef.includes(o))return null;let a=r?.tool?`${r.tool} ${ne(r.arguments||{})}`:r?.words||"",l=a&&i`<${Cf} text=${a} word="Copy the undo" done="The undo is copied." />`;return i`${o==="in_doubt"&&s?i`<p class="soft">Its undo is in doubt:</p><${On} action=${s} onDone=${t} />`:null}
    <${Mn} about=${n} label="What is owed" acts=${Ua(n)} more=${l} onDone=${t} />`}function Mf({execution:{id:e,interrupted_by:t}}){let{shown:n}=mt(),{commandLine:o}=ht(),r=o(`get brief --execution-id ${e}`),s=o(`run --resume ${e}`),a=`Continue the execution ${e} of the Tallystick journal ${JSON.stringify(n)}. First read its brief: query_ledger with view=brief and execution_id=${e}, or the command ${r}. Look at the real system and settle what is in doubt; repeat nothing that is in doubt. Then go on with the next step, or ask me.`;return i`<div class="take-up">
    ${t===Va&&i`<p class="act-title">Let a runner go on</p>
      <p class="soft">Add the <code>--tools</code>, <code>--mcp</code> and <code>--policy</code> of the first time. A run of <code>tallystick serve</code> goes on when that runs again.</p>
      <span class="command"><code>${s}</code><${ge} text=${s} what="the command" /></span>`}
    <p class="act-title">${t===Va?"Or paste":"Paste"} this into an agent</p>
    <div class="take-up-text"><p>${a}</p><${ge} text=${a} what="the text for an agent" /></div>
  </div>`}function Ja({execution:e,onDone:t}){let[n,o]=h(!1),r=Wa(e);if(!r.length)return null;let s=e.interrupted&&i`<${v} kind="primary" icon="follow" aria-expanded=${String(n)} onClick=${()=>o(!n)}>Take it up<//>`;return i`<${Mn} about=${e.id} label="Decide about this execution" acts=${r} first=${s} onDone=${t} />
    ${n&&e.interrupted&&i`<${Mf} execution=${e} />`}`}function Ya({execution:e,step:t,onDone:n}){return i`<${Mn} about=${`${e} ${t}`} label="Failed step" acts=${[Ka(e,t)]} onDone=${n} />`}function Cf({text:e,word:t,done:n}){return i`<${v} icon="copy" onClick=${async()=>{let r=await Ht(e);ye(r?n:"It cannot be copied.",r?"ok":"failed")}}>${t}<//>`}V();k();Ce();Z();z();j();V();k();Z();z();j();var Af=[["why","Why"],["question","Question"],["answer","Answer"],["reason","Reason"],["summary","Summary"],["error","Error"],["rejected","Why the others were not chosen"]];function Xa({seq:e,onAction:t}){let{data:n,problem:o,reload:r}=P({by:[e],kinds:["body_erased"]},c=>E("/v1/entries",{after:e-1,limit:1},{signal:c}));if(o)return i`<${L} problem=${o} retry=${r} />`;if(!n)return i`<${B} />`;let s=n.entries[0];if(!s||s.seq!==e)return i`<p class="soft">There is no entry ${e}, or you may not see it.</p>`;let a=s.body||{},{facts:l}=s;return i`<div class="detail-body">
    <h2>${In(s.kind)}</h2>
    <p class="detail-tags">${l.decision&&i`<strong>${l.decision}</strong>`}${l.status&&i`<${W} state=${l.status} />`}<${Xe} witness=${s.witness} /></p>
    <${Ie}
      rows=${[["entry",i`<code>${s.seq}</code>`],["about",s.id&&(s.id.startsWith("ac_")?i`<button type="button" class="row-button mono" onClick=${()=>t(s.id)}>${s.id}</button>`:i`<${We} id=${s.id} />`)],["by",i`<${m} text=${s.actor||"–"} /> (${s.actor_kind||"agent"})`],["at",i`<${N} at=${s.at} />`],["clock",s.behind&&`${pe(s.behind*1e3)} behind the entry before`],["step",l.step&&i`<code><${m} text=${l.step} /></code>`],["approval",l.approval_id&&i`<a href=${x(`/approvals/${l.approval_id}`)}><code>${l.approval_id}</code></a>`],["trace",s.trace&&i`<code>${s.trace}</code>`],["key",s.key&&i`<code>${s.key}</code>`],["hash",i`<code class="hash">${s.hash}</code>`]]}
    />
    ${s.kind==="unreadable"&&i`<p class="warn">This entry cannot be read: <${m} text=${l.problem} />. ${l.needs?`Install ${l.needs==="newer"?"the newest version":`version ${l.needs}`}.`:i`Run <code>tallystick verify</code> to see whether it was changed.`}</p>`}
    ${s.erased&&i`<p class="soft">Its text was erased. The entry remains, and the chain still verifies.</p>`}
    ${s.altered&&i`<p class="warn">Its stored text is not the one that was recorded, and is not shown. Run <code>tallystick verify</code>.</p>`}
    ${Af.map(([c,d])=>typeof a[c]=="string"&&a[c]?i`<section class="part"><h3>${d}</h3><${Kt} text=${a[c]} /></section>`:null)}
    ${Array.isArray(a.alternatives)&&i`<section class="part"><h3>Alternatives</h3><ul>${a.alternatives.map(c=>i`<li><${m} text=${String(c)} /></li>`)}</ul></section>`}
    <section class="part"><h3>Raw</h3><${re} value=${s} label="entry" /></section>
  </div>`}function Qa({entries:e}){return i`<section class="part">
    <h3>Entries (${e.length})</h3>
    ${e.map(t=>i`<details class="entry-raw" key=${t.seq}>
        <summary><span class="num faint">${t.seq}</span> ${In(t.kind)} <${Xe} witness=${t.witness} /> <span class="faint"><${m} text=${t.actor} /></span></summary>
        <${re} value=${t} label=${`entry ${t.seq}`} />
        <p><a href=${x(location.pathname,{tab:"journal",entry:t.seq})}>Link to this entry</a></p>
      </details>`)}
  </section>`}var In=e=>e.replaceAll("_"," ");function Za({execution:e,status:t,action:n,step:o,entry:r,steps:s,onClose:a,onAction:l}){let c=C(null);return fe("Detail",{Escape:{label:"close the detail",run:a}}),_(()=>{let d=document.activeElement;return()=>{(!document.activeElement||document.activeElement===document.body)&&d instanceof HTMLElement&&d.isConnected&&d.focus()}},[]),_(()=>{matchMedia("(max-width: 1000px)").matches&&c.current?.focus()},[n,o,r]),i`<aside class="detail" aria-label="Detail" ref=${c} tabindex="-1">
    <div class="detail-close"><${ge} text=${location.href} what="link to this" /><${v} kind="ghost" icon="close" label="Close the detail" onClick=${a} /></div>
    ${n?i`<${Of} key=${n} id=${n} execution=${e} onAction=${l} />`:r?i`<${Xa} key=${r} seq=${Number(r)} onAction=${l} />`:i`<${If} key=${o} execution=${e} status=${t} step=${s.find(d=>d.id===o)} onAction=${l} />`}
  </aside>`}function Of({id:e,execution:t,onAction:n}){let{data:o,problem:r,reload:s}=P({by:[e],execution:t},$=>Promise.all([E(`/v1/actions/${encodeURIComponent(e)}`,{},{signal:$}),E("/v1/entries",{id:e,execution_id:t,limit:50},{signal:$})]));if(r)return i`<${L} problem=${r} retry=${s} />`;if(!o)return i`<${B} />`;let[a,l]=o,{begin_body:c={},end_body:d={}}=a,u=$=>i`<button type="button" class="row-button mono" onClick=${()=>n($)}>${$}</button>`,p=d.before??c.before,f=l.entries.find($=>$.trace)?.trace;return i`<div class="detail-body">
    <h2><${m} text=${c.summary||a.tool||a.id} /></h2>
    <p class="detail-tags"><${W} state=${a.state} /><${Xe} witness=${a.witness||"claimed"} />${a.kind==="undo"&&i`<${W} state="unwinding" word="undo" />`}</p>
    <${Ie}
      rows=${[["action",i`<${We} id=${a.id} />`],["tool",a.tool&&i`<code><${m} text=${a.tool} /></code>`],["step",a.step&&i`<a href=${x(location.pathname+location.search,{step:a.step,action:""})}><code><${m} text=${a.step} /></code></a>`],["by",a.actor&&i`<${m} text=${a.actor} />`],["attempt",(a.attempt||1)>1?String(a.attempt):""],["begun",i`<${N} at=${a.begun} />`],["took",a.ended?i`<${ft} from=${a.begun} to=${a.ended} />`:a.state==="in_doubt"?"no end is recorded":i`<${ft} from=${a.begun} />`],["effect",a.effect],["undo",a.undo_state&&i`<${W} state=${a.undo_state} quiet />`],["temporary",a.temporary&&"yes"],["recorded",a.after_the_fact&&"after the fact"],["permission",a.permission],["repeats",a.repeats&&i`${u(a.repeats)}, which was in doubt`],["repeated by",a.repeated_by?.length?u(a.repeated_by.at(-1)):""],["undoes",a.undoes&&u(a.undoes)],["undone by",a.undone_by&&u(a.undone_by)],["trace",f&&i`<code>${f}</code>`]]}
    />
    ${a.state==="in_doubt"&&i`<${On} action=${a.id} />`}
    <${$e} title="Error">${d.error&&i`<${Kt} text=${d.error} />`}</${$e}>
    <${$e} title="Arguments">${"arguments"in c&&i`<${re} value=${c.arguments} label="arguments" />`}</${$e}>
    <${$e} title="Result">${"result"in d&&i`<${re} value=${d.result} label="result" />`}</${$e}>
    <${$e} title="Before and after">${p!==void 0&&d.after!==void 0&&i`<${qe} before=${p} after=${d.after} />`}</${$e}>
    <${$e} title="Before">${p!==void 0&&d.after===void 0&&i`<${re} value=${p} label="before" />`}</${$e}>
    <${$e} title="After">${p===void 0&&d.after!==void 0&&i`<${re} value=${d.after} label="after" />`}</${$e}>
    <${$e} title="Why it was repeated">${c.again&&i`<${m} text=${c.again} />`}</${$e}>
    <${$e} title="Evidence">${d.evidence&&i`<${m} text=${d.evidence} />`}</${$e}>
    <${$e} title="Outcome">${d.summary&&i`<${m} text=${d.summary} />`}</${$e}>
    <${$e} title="How to undo it">${c.undo&&i`<${re} value=${c.undo} label="undo" />`}</${$e}>
    <${Qa} entries=${l.entries} />
  </div>`}function If({execution:e,status:t,step:n,onAction:o}){let{data:r}=P({by:[e,n?.id],execution:e},a=>n?E(`/v1/executions/${encodeURIComponent(e)}/work`,{step:n.id,unfolded:!0},{signal:a}):Promise.resolve({rows:[]})),s=r?.rows||[];return n?i`<div class="detail-body">
    <h2><${m} text=${n.title||n.id} /></h2>
    <p class="detail-tags"><${W} state=${n.actual} /></p>
    <${Ie}
      rows=${[["step",i`<code>${n.id}</code>`],["tool",n.tool&&i`<code><${m} text=${n.tool} /></code>`],["after",n.after?.length&&i`<code>${n.after.join(", ")}</code>`],["can be undone",n.cancellable],["estimate",Number(n.estimate)?`${Number(n.estimate)} s`:""],["decided",n.decided]]}
    />
    ${n.actual==="failed"&&An(t)&&i`<${Ya} execution=${e} step=${n.id} />`}
    <${$e} title=${`Attempts (${s.length})`}>
      ${s.length?i`<ul class="plain-list">${s.map(a=>i`<li key=${a.id}><${W} state=${a.state} /><button type="button" class="row-button" onClick=${()=>o(a.id)}>${a.action_kind==="undo"?"undo":`attempt ${a.attempts||1}`}</button><span class="faint">${a.actor}</span><${N} at=${a.begun} /></li>`)}</ul>`:i`<p class="soft">No attempt yet.</p>`}
    </${$e}>
  </div>`:i`<p class="soft">The current plan has no such step.</p>`}function $e({title:e,children:t}){return t?i`<section class="part"><h3>${e}</h3>${t}</section>`:null}V();k();te();Z();j();function el({execution:e,onAction:t}){let{data:n,problem:o,reload:r}=P({by:[e]},s=>E("/v1/in-doubt",{execution_id:e,limit:100},{signal:s}));return o?i`<${L} problem=${o} retry=${r} />`:n?n.in_doubt.length?i`<div class="doubt-tab">
    <p class="lead"><${S} name="in_doubt" /><span><strong>Actions with an unknown outcome. Do not repeat them.</strong> Check the real system, then record the outcome and your evidence.</span></p>
    ${n.in_doubt.map(s=>i`<${Nf} key=${s.action_id} item=${s} onAction=${t} />`)}
  </div>`:i`<${q} icon="completed" title="Nothing is in doubt.">Every action has a known outcome or is still in progress.</${q}>`:i`<${B} />`}function Nf({item:e,onAction:t}){return i`<${D} class="doubt-item" title=${i`<${m} text=${e.summary||e.tool||e.action_id} />`} actions=${i`<${W} state="in_doubt" />`}>
    <p class="soft">Since <${N} at=${e.since} />: ${e.why}. ${e.kind==="undo"?"It is an undo. ":""}${e.tool&&i`<code><${m} text=${e.tool} /></code> `}<button type="button" class="row-button mono" onClick=${()=>t(e.action_id)}>${e.action_id}</button></p>
    ${e.arguments&&i`<${re} value=${e.arguments} label="arguments" />`}
    <h3>How to check</h3>
    ${typeof e.probe=="string"?i`<p><${m} text=${e.probe} /></p>`:e.probe?.tool||e.probe?.words?i`${e.probe.words&&i`<p><${m} text=${e.probe.words} /></p>`}${e.probe.tool&&i`<p><code><${m} text=${e.probe.tool} /></code></p><${re} value=${e.probe.arguments||{}} label="arguments of the probe" />`}`:i`<p>No probe is recorded. Look for traces of <code><${m} text=${e.tool||"the action"} /></code> in the real system.</p>`}
    <h3>What came of it</h3>
    <${On} action=${e.action_id} />
  </${D}>`}V();k();te();j();Nn();var Rf=[["html","HTML file","one file that opens without a server"],["jsonl","JSONL","one entry per line, for programs"],["csv","CSV","one entry per row, for a spreadsheet"],["markdown","Copy for a model","Markdown on the clipboard, values fenced as data"]];function tl({execution:e,end:t=!1}){let[n,o]=h(""),r=async s=>{o(s);try{let a=await E(`/v1/executions/${encodeURIComponent(e)}/report`,{form:s},{accept:"application/json"});s!=="markdown"?Ye(a.name,a.text,a.media_type):await Ht(a.text)?ye("Copied as Markdown.","ok"):Ye(a.name,a.text,a.media_type)}catch(a){ye(`The export failed: ${a.message}`,"failed")}o("")};return i`<${ot} label="Export this execution" icon="export" word="Export" end=${t}>
    <div class="menu-list export-list">
      ${Rf.map(([s,a,l])=>i`<button key=${s} type="button" class="menu-item export-item" data-close disabled=${!!n} onClick=${()=>r(s)}>
        <${S} name=${s==="markdown"?"copy":"export"} /><span><strong>${a}</strong><span class="soft">${l}</span></span>
      </button>`)}
    </div>
  <//>`}k();te();z();j();V();k();te();Z();z();j();function nl({row:e,query:t}){let n=t.get("only")||"",o=(e.total_steps||0)-(e.done_steps||0)-(e.skipped_steps||0),r=l=>x(`/x/${e.id}`,l),s=e.actions||{},a=[e.total_steps?["steps done",i`${e.done_steps||0}<small> of ${e.total_steps}</small>`,"ok",r({view:"plan"})]:["done",s.ok||0,"ok",r({only:"done"}),n==="done"],["failed",e.failed||0,"failed",r({only:"failed"}),n==="failed"],["in doubt",e.in_doubt||0,"doubt",r({tab:"doubt"})],["owed",e.owed||0,"undo",r({tab:"undo"})],["unplanned",e.unplanned||0,"idle",r({only:"unplanned"}),n==="unplanned"],["waiting",e.waiting||0,"waiting",x("/approvals",{execution:e.id})]];return e.total_steps&&a.splice(1,0,["steps left",o,"plain",r({view:"plan"})]),i`<ul class="tiles" aria-label="Figures">
    ${a.map(([l,c,d,u,p])=>i`<li key=${l}><a href=${u} aria-current=${p?"true":null} class=${Q("tile",`tone-${d}`,typeof c=="number"&&c>0&&d!=="plain"&&"tile-set")}><strong>${c}</strong><span>${l}</span></a></li>`)}
  </ul>`}function ol({row:e}){let t=e.failed>0&&e.status!=="completed",{data:n}=P({by:[e.id,t],execution:e.id,kinds:["action_ended","decision_recorded"]},r=>t?E(`/v1/executions/${encodeURIComponent(e.id)}/work`,{only:"failed",newest_first:!0,limit:1},{signal:r}):Promise.resolve({rows:[]})),o=t&&n?.rows[0];return o?i`<div class="x-failure"><${S} name="failed" /><p><button type="button" class="row-button" onClick=${()=>J({action:o.id,step:"",entry:""})}><${m} text=${o.summary||o.tool||o.id} /></button> failed${o.error?i`: <${m} text=${o.error.replace(/^failed: /,"")} />`:"."}</p></div>`:null}function sl({status:e,query:t,header_actions:n}){let o=e.execution;return i`<header class="x-head">
    <nav class="crumbs" aria-label="Breadcrumb"><a href=${x("/executions")}><${S} name="left" size=${12} />All executions</a></nav>
    <div class="x-title">
      <h1><${m} text=${o.title||o.id} /></h1>
      <${W} state=${o.interrupted?"interrupted":o.status} />
      <div class="x-actions">
        ${n&&i`<${n} status=${e} />`}
        <${He} href=${x(`/replay/${o.id}`)} icon="replay">Replay</${He}>
        <${He} href=${x("/compare",{a:o.id})} icon="compare">Compare</${He}>
        <${tl} execution=${o.id} end />
      </div>
    </div>
    <dl class="x-facts">
      <div><dt>execution</dt><dd><${We} id=${o.id} /></dd></div>
      ${o.plan_id&&i`<div><dt>plan</dt><dd><a href=${x(`/plans/${o.plan_id}`)}><code>${o.plan_id}</code></a> <span class="faint">revision ${o.revision}</span></dd></div>`}
      <div><dt>by</dt><dd><${m} text=${o.actor||"–"} />${o.client&&i` <span class="faint"><${m} text=${o.client} /></span>`}</dd></div>
      ${o.task_id&&i`<div><dt>task</dt><dd><a href=${x("/executions",{q:`task:${o.task_id}`})}><${m} text=${o.task_id} /></a></dd></div>`}
      <div class="x-more"><dt>started</dt><dd><${N} at=${o.started} /></dd></div>
      <div><dt>${o.ended||o.interrupted?"took":"for"}</dt><dd><${ft} from=${o.started} to=${o.ended||o.interrupted} /></dd></div>
      ${o.interrupted&&i`<div><dt>interrupted</dt><dd><${N} at=${o.interrupted} /> <span class="faint">while ${o.status}, last worked on by <${m} text=${o.interrupted_by||o.last_session} /></span></dd></div>`}
      ${!o.ended&&i`<div><dt>last entry</dt><dd><${N} at=${o.last} /></dd></div>`}
      <div class="x-more"><dt>record</dt><dd><${Df} coverage=${e.coverage} id=${o.id} /></dd></div>
      ${o.total_steps?i`<div><dt>steps</dt><dd><${Mt} row=${o} steps=${e.steps.filter(r=>!r.dropped).map(r=>r.actual)} /> <span class="num">${st(o)}</span></dd></div>`:null}
    </dl>
    <${ol} row=${o} />
    <${Pf} status=${e} />
    <${Ja} execution=${o} />
    <${nl} row=${o} query=${t} />
  </header>`}function Df({coverage:e,id:t}){if(!e)return"–";let n=e.observers?.length,o=e.observers?.some(r=>r.silent);return i`<a href=${x(`/x/${t}`,{tab:"coverage"})}>${e.ended||0} of ${e.begun||0} actions finished.</a>
    <span class="faint"> ${o?"Hooks are silent.":n?"Observed.":"Not observed by hooks."}</span>`}function Pf({status:e}){let t=e.last_decision,n=[...(e.advice||[]).map(o=>i`<span class="advice"><${S} name="warning" /><span><code><${m} text=${o.step} /></code> failed: <${m} text=${o.text} /></span></span>`),t?.decision&&i`<span class="advice"><${S} name="claimed" /><span>last decision <strong>${t.decision}</strong>${t.why&&i`: <${m} text=${t.why} />`}</span></span>`].filter(Boolean);return n.length?i`<div class="notices">${n}</div>`:null}k();z();Ue();Ke();k();te();j();var jf={failed:"undo failed",in_doubt:"undo in doubt"},Ln=e=>e.kind==="group"?e.tool||e.actor||e.summary||e.id:e.summary||e.tool||e.id,Ot=e=>e.kind==="step"?e.action_id||"":e.kind==="group"?"":e.id,rr=e=>e.depth===0&&(e.kind==="group"||e.kind==="step"&&((e.attempts||0)>1||!!e.undone_by));function qf(e){let t=Object.entries(e.states||{}).filter(([o])=>o!=="ok"),n=e.attempts||0;return[e.kind==="group"&&`${e.count} calls`,...t.map(([o,r])=>`${r} ${Tt(o).word}`),e.kind==="step"&&n>1&&`${n} attempts`,e.kind==="action"&&n>1&&`attempt ${n}`,e.unplanned&&"unplanned",e.dropped&&"dropped from the plan",e.late&&"recorded after the end",e.temporary&&"temporary",e.decided&&`decided: ${e.decided}`,e.kind==="step"&&e.cancellable==="irreversible"&&"irreversible",e.permission,e.silent,e.unserved].filter(Boolean)}function ir(e){let t=e.ended||e.lost;return e.begun&&t?pe(Date.parse(t)-Date.parse(e.begun)):!e.begun&&e.estimate?`about ${pe(e.estimate*1e3,1)}`:e.begun&&["open","running"].includes(e.state)?"under way":""}function rl({row:e,index:t,height:n,place:o,on:r,focusable:s,unfolded:a,loading:l,row_actions:c,onSelect:d,onToggle:u}){let{tone:p,icon:f,word:$}=Tt(e.state),b=qf(e),g=e.kind==="group"&&!e.tool?"":e.actor;return i`<div class=${Q("work-row",`tone-${p}`,r&&"work-on",e.depth>0&&"work-inside",e.unplanned&&"work-unplanned",!e.begun&&"work-ahead")} role="row" aria-rowindex=${t+2} style=${{height:`${n}px`}} data-row=${e.key}>
    <div role="cell" class="work-what">
      ${rr(e)?i`<button type="button" class="work-fold" aria-expanded=${String(a)} aria-label=${`${a?"Fold":"Unfold"} ${_e(Ln(e))}`} tabindex=${s?0:-1} onClick=${()=>u(e)}><${S} name=${a?"down":"right"} size=${12} /></button>`:i`<span class="work-fold" />`}
      <span class="work-icon"><${S} name=${e.action_kind==="undo"&&e.state==="ok"?"unwinding":f} /></span>
      <div class="work-text">
        <p class="work-title"><button type="button" class="row-button cut" data-focus tabindex=${s?0:-1} aria-pressed=${String(r)} onClick=${()=>d(e)}>${e.action_kind==="undo"?"undo: ":""}<${m} text=${Ln(e)} /></button>${b.length>0&&i`<span class="work-notes">${b.join(" · ")}</span>`}</p>
        <p class="work-more cut">${e.error?i`<span class="work-error"><${m} text=${e.error} /></span>`:i`${e.tool&&e.tool!==Ln(e)&&i`<code><${m} text=${e.tool} /></code>`}${g&&i`<span><${m} text=${g} /></span>`}${l&&i`<span>loading…</span>`}`}</p>
      </div>
    </div>
    <div role="cell" class="work-state"><span>${$}</span>${e.undo_state&&!["not_undone",e.state].includes(e.undo_state)&&i`<${W} state=${e.undo_state} quiet word=${jf[e.undo_state]||""} />`}</div>
    <div role="cell" class="work-actions">${c&&i`<${c} row=${e} />`}</div>
    <div role="cell" class="work-took num">${ir(e)}</div>
    <div role="cell" class="work-chart">${o&&i`<${Bf} row=${e} place=${o} />`}</div>
  </div>`}function Bf({row:e,place:t}){let n=Q("work-bar",`bar-${e.state}`,e.action_kind==="undo"&&"bar-undo",e.kind==="group"&&"bar-group",t.open&&"bar-open");return i`<span class=${n} aria-hidden="true" style=${{left:`${t.left*100}%`,width:`${t.width*100}%`}} />`}var zf=["not_undone","partly","failed","may_be_undo"],vo=(e,t)=>({row:n})=>n.kind==="group"?null:n.state==="in_doubt"?i`<${wo} row=${n} word="Settle" to=${{action:Ot(n)}} />`:n.undo_state==="in_doubt"?i`<${wo} row=${n} word="Settle the undo" to=${{tab:"doubt"}} />`:e&&zf.includes(n.undo_state||"")?i`<${wo} row=${n} word="Undo or keep" to=${{tab:"undo"}} />`:t&&n.kind==="step"&&n.state==="failed"?i`<${wo} row=${n} word="Retry" to=${{step:n.id}} />`:null,Ff=[vo(!1,!1),vo(!1,!0),vo(!0,!1),vo(!0,!0)],il=({status:e,owed:t})=>Ff[(t?2:0)+Number(An(e))];function wo({row:e,word:t,to:n}){let o=()=>J({action:"",step:"",entry:"",...n});return i`<${v} aria-label=${`${t}: ${_e(Ln(e))}`} onClick=${o}>${t}<//>`}V();k();Z();j();k();te();j();var Hf={known:"",unknown:"No undo is recorded. Check what it did, and decide.",erased:"The text of the undo was erased.",altered:"The stored text of the undo was altered and is not shown.",irreversible:"It is recorded as irreversible."};function al({items:e,lead:t,more:n=!1,rest:o,empty:r,onAction:s,actsOf:a}){return i`<div class="owed-tab">
    <p class="lead"><${S} name="owed" /><span><strong>${t}</strong>${e.length>0&&i` Undo from top to bottom. This page undoes nothing: you, an agent or a runner undoes an action, and records that with <code>kind=undo</code>.`}</span></p>
    ${e.length?i`<ol class="owed-list">${e.map(l=>i`<${Uf} key=${l.action_id} item=${l} onAction=${s} acts=${a?.(l)} />`)}</ol>
          ${n&&i`<p class="soft">These are the first ${e.length}. The rest: <code>${o}</code></p>`}`:i`<${q} icon="completed" title=${r}>Every action is undone or kept.</${q}>`}
  </div>`}function Uf({item:e,onAction:t,acts:n}){let o=Hf[e.way]??e.way;return i`<li class="owed-item">
    <div class="owed-what">
      <p><button type="button" class="row-button" onClick=${()=>t(e.action_id)}><${m} text=${e.summary||e.tool||e.action_id} /></button>
        <span class="faint"> ${e.tool&&i`<code><${m} text=${e.tool} /></code> `}${e.step&&i`step <code><${m} text=${e.step} /></code>`}</span></p>
      <p class="detail-tags"><${W} state=${e.state} word=${e.state==="failed"?"undo failed":""} />${e.temporary&&i`<span class="maybe"><${S} name="late" size=${14} />temporary</span>`}${e.certain===!1&&i`<span class="maybe"><${S} name="in_doubt" size=${14} />may have happened</span>`}<${Wf} at=${e.deadline} /></p>
    </div>
    <div class="owed-way">
      ${e.undo?i`${e.undo.words&&i`<p><${m} text=${e.undo.words} /></p>`}
            ${e.undo.tool&&i`<p><code><${m} text=${e.undo.tool} /></code></p><${re} value=${e.undo.arguments||{}} label="arguments of the undo" />`}
            ${e.undo.missing?.length>0&&i`<p class="warn">Not recorded: <${m} text=${e.undo.missing.join(", ")} /></p>`}`:i`<p class="soft">${o}</p>`}
      ${e.error&&i`<p class="warn">The undo failed: <${m} text=${e.error} /></p>`}
      ${e.why&&i`<p class="soft"><${m} text=${e.why} /></p>`}
      ${e.undone_by&&i`<p class="soft">by <button type="button" class="row-button mono" onClick=${()=>t(e.undone_by)}>${e.undone_by}</button></p>`}
    </div>
    ${n&&i`<div class="owed-acts">${n}</div>`}
  </li>`}function Wf({at:e}){let t=Date.parse(e)-ve();return e?t<0?i`<span class="warn">undo was possible until <${N} at=${e} /></span>`:i`<span class="faint" title=${e}>can be undone for ${pe(t)} more</span>`:null}var Kf=100;function Vf(e){if(e.owed==="nothing")return"Nothing of this is owed.";let t=`${e.more_due?"More than ":""}${e.due} of this ${e.due===1?"is":"are"}`;return`${e.owed==="all"?"All of this is":t} owed: somebody still has to undo it.`}function ll({execution:e,onAction:t}){let{data:n,problem:o,reload:r}=P({by:[e],execution:e},s=>E(`/v1/executions/${encodeURIComponent(e)}/undo-list`,{limit:Kf},{signal:s}));return o?i`<${L} problem=${o} retry=${r} />`:n?i`<${al} items=${n.items} lead=${Vf(n)} more=${!!n.next_cursor} rest=${`tallystick undo-list ${e}`} empty="The undo list is empty." onAction=${t}
    actsOf=${n.owed==="nothing"?void 0:s=>i`<${Ga} item=${s} onDone=${r} />`} />`:i`<${B} />`}V();k();Ce();Z();z();j();k();ar();j();k();var Gf=5,ul=.01;function pl(e){let[t,n]=h(null),o={from:-ul*e,to:(1+ul)*e},r=t||o,s=xe(c=>{let d=Math.max(Gf,c.to-c.from);if(d>=o.to-o.from)return n(null);let u=Math.min(Math.max(c.from,o.from),o.to-d);return n({from:u,to:u+d})},[e]);return{view:r,zoomed:t!==null,zoom:(c,d=.5)=>{let u=(r.to-r.from)*c,p=r.from+d*(r.to-r.from);s({from:p-d*u,to:p+(1-d)*u})},pan:c=>{let d=c*(r.to-r.from);s({from:r.from+d,to:r.to+d})},show:s,fit:()=>n(null)}}function Rn(){let e=C(null),[t,n]=h(0);return we(()=>{let o=e.current,r=()=>n(Math.floor(o.getBoundingClientRect().width)),s=new ResizeObserver(r);return s.observe(o),r(),()=>s.disconnect()},[]),[e,t]}function fl(e,t){let n=C(t);n.current=t,_(()=>{let o=e.current,r=new Map,s=u=>{let{left:p,width:f}=o.getBoundingClientRect();return(u-p)/f},a=u=>{let p=Math.abs(u.deltaX)>Math.abs(u.deltaY)?u.deltaX:u.shiftKey?u.deltaY:0;if(u.ctrlKey||u.metaKey)n.current.zoom(Math.exp(u.deltaY/300),s(u.clientX));else if(p)n.current.pan(p/800);else return;u.preventDefault()},l=u=>{u.button===0&&r.set(u.pointerId,u.clientX)},c=u=>{let p=r.get(u.pointerId);if(p===void 0)return;let f=[...r].filter(([$])=>$!==u.pointerId).map(([,$])=>$);if(f.length){let $=Math.abs(p-f[0])/Math.max(8,Math.abs(u.clientX-f[0]));n.current.zoom(Math.min(2,Math.max(.5,$)),s((u.clientX+f[0])/2))}else if(Math.abs(u.clientX-p)>2)o.setPointerCapture(u.pointerId),n.current.pan((p-u.clientX)/o.getBoundingClientRect().width);else return;r.set(u.pointerId,u.clientX)},d=u=>{r.delete(u.pointerId)};o.addEventListener("wheel",a,{passive:!1}),o.addEventListener("pointerdown",l),o.addEventListener("pointermove",c);for(let u of["pointerup","pointercancel"])o.addEventListener(u,d);return()=>{o.removeEventListener("wheel",a),o.removeEventListener("pointerdown",l),o.removeEventListener("pointermove",c);for(let u of["pointerup","pointercancel"])o.removeEventListener(u,d)}},[])}var gt=216,It=46,$l=27,ml=400,gl=.7;function bl({work:e,selected:t,onStep:n}){let[o,r]=Rn(),[s,a]=h(0),l=e.rows.filter(w=>w.kind==="step"&&w.depth===0),c=e.complete||e.rows.length>l.length,d=l.length>ml;_(()=>{!c&&!d&&!e.problem&&e.more()});let u=d||!c?"":l.map(w=>`${w.id} ${(w.after||[]).join()}`).join("|"),p=ko(cl),f=ie(()=>p&&u&&r?Yf(p,l,r):null,[p,u,r]),$=f?Math.min(1,Math.max(gl,r/f.width)):1,b=s||$,g=ie(()=>Xf(l),[u,e.rows]),M=new Map(l.map(w=>[w.id,w]));return i`<div class="graph-view" ref=${o}>
    ${d?i`<${q} icon="graph" title=${`The plan has more than ${ml} steps.`}>They are listed under Plan.</${q}>`:f?i`
    <div class="graph-tools"><span class="soft">${g.size>1?i`<span class="critical-key" aria-hidden="true" /> critical path`:null}</span>
      <span class="work-zoom"><${v} kind="ghost" icon="zoomout" label="Zoom out" onClick=${()=>a(Math.max(.25,b/1.3))} /><${v} kind="ghost" icon="zoomin" label="Zoom in" onClick=${()=>a(Math.min(2.5,b*1.3))} /><${v} kind="ghost" icon="fit" label="Fit" onClick=${()=>a(0)} disabled=${!s} /></span></div>
    <div class="graph" tabindex="0" role="region" aria-label="Graph of the plan">
      <svg width=${Math.ceil(f.width*b)} height=${Math.ceil(f.height*b)} viewBox=${`0 0 ${f.width} ${f.height}`} role="group" aria-label="Steps and what each comes after">
        <defs>
          <marker id="arrow" viewBox="0 0 8 8" refX="7" refY="4" markerUnits="userSpaceOnUse" markerWidth="9" markerHeight="9" orient="auto"><path class="edge-tip" d="M0 0L8 4 0 8z" /></marker>
        </defs>
        ${f.edges.map(w=>i`<path class=${Q("edge",g.has(w.from)&&g.get(w.from)===w.to&&"edge-critical")} d=${w.path} marker-end="url(#arrow)" />`)}
        ${f.nodes.map(({id:w,x:y,y:O})=>M.has(w)&&i`<${Jf} key=${w} step=${M.get(w)} x=${y} y=${O} on=${t===w} critical=${g.has(w)} onStep=${n} />`)}
      </svg>
    </div>`:!c||u?i`<${B} what="Loading the steps" />`:i`<${q} icon="graph" title="Ad hoc: there is no plan to draw." />`}
  </div>`}function Jf({step:e,x:t,y:n,on:o,critical:r,onStep:s}){let{tone:a,word:l}=Tt(e.state),c=_e(e.summary||e.id),d=c.length>$l?`${c.slice(0,$l-1).trimEnd()}…`:c,u=e.attempts||0,p=[l,ir(e),u>1&&`${u} attempts`,e.cancellable==="irreversible"&&"irreversible"].filter(Boolean).join(", "),f=()=>s(e.id);return i`<g class=${Q("node",`tone-${a}`,e.state==="in_doubt"&&"node-doubt",e.state==="planned"&&"node-planned",o&&"node-on",r&&"node-critical")} role="button" tabindex="0" aria-label=${`${d} ${p}${r?", on the critical path":""}`} aria-pressed=${String(o)} onClick=${f} onKeyDown=${$=>($.key==="Enter"||$.key===" ")&&($.preventDefault(),f())}>
    <title>${c}</title>
    <rect x=${t-gt/2} y=${n-It/2} width=${gt} height=${It} rx="3" />
    <rect class="node-edge" x=${t-gt/2} y=${n-It/2} width="4" height=${It} rx="1" />
    <text class="node-title" x=${t-gt/2+14} y=${n-3}>${d}${" "}</text>
    <text class="node-state" x=${t-gt/2+14} y=${n+13}>${p}</text>
  </g>`}function Yf(e,t,n){let o=hl(e,t,!0);return n/o.width>=gl?o:hl(e,t,!1)}function hl({Graph:e,layout:t},n,o){let r=new e;r.setGraph({rankdir:o?"LR":"TB",nodesep:18,ranksep:o?44:28,marginx:16,marginy:16}),r.setDefaultEdgeLabel(()=>({}));for(let l of n)r.setNode(l.id,{width:gt,height:It});for(let[l,c]of yl(n))r.hasNode(l)&&r.setEdge(l,c);t(r);let{width:s=0,height:a=0}=r.graph();return{width:Math.ceil(s),height:Math.ceil(a),nodes:r.nodes().map(l=>({id:l,...r.node(l)})),edges:r.edges().map(l=>({from:l.v,to:l.w,path:Zf(r.node(l.v),r.node(l.w),r.edge(l).points.slice(1,-1),o)}))}}function yl(e){return e.some(t=>t.after?.length)?e.flatMap(t=>(t.after||[]).map(n=>[n,t.id])):e.slice(1).map((t,n)=>[e[n].id,t.id])}function Xf(e){let t=new Map;for(let[d,u]of yl(e))t.set(u,[...t.get(u)||[],d]);let n=new Map(e.map(d=>[d.id,d])),o=new Map,r=new Set,s=d=>{if(o.has(d)||r.has(d))return;r.add(d);let u=(t.get(d)||[]).filter(f=>n.has(f));u.forEach(s);let p=u.reduce((f,$)=>(o.get($)?.length??0)>(o.get(f)?.length??-1)?$:f,"");o.set(d,{length:Qf(n.get(d))+(o.get(p)?.length??0),from:p})};e.forEach(d=>s(d.id));let[a,l]=[...o].reduce((d,u)=>u[1].length>d[1].length?u:d,["",{length:0,from:""}]),c=new Map;for(let d=a,u="",p=l.from;d;[u,d,p]=[d,p,o.get(p)?.from??""])c.set(d,u);return c}function Qf(e){return e.begun&&e.ended?Math.max(0,Date.parse(e.ended)-Date.parse(e.begun))/1e3:Number(e.estimate)||0}function Zf(e,t,n,o){let[r,s]=o?[gt/2,0]:[0,It/2],a={x:e.x+r,y:e.y+s},l={x:t.x-r,y:t.y-s},c=o?l.x-a.x>gt:l.y-a.y>It,d=[a,...c?n:[],l];return d.slice(1).reduce((u,p,f)=>{let $=d[f],[b,g]=o?[(p.x-$.x)/2,0]:[0,(p.y-$.y)/2];return`${u}C${$.x+b} ${$.y+g} ${p.x-b} ${p.y-g} ${p.x} ${p.y}`},`M${a.x} ${a.y}`)}k();var e$=200,t$=1e3,xl=500;function _l({order:e,only:t}){return t?{only:t}:e==="newest"?{newest_first:!0}:{order:e}}function wl({read:e,wanted:t,by:n,version:o}){let[,r]=Xn(w=>w+1,0),s=C(vl()).current,a=C({read:e,wanted:t});a.current={read:e,wanted:t};let l=async w=>{let{turn:y}=s;try{await w(y),y===s.turn&&(s.problem=null)}catch(O){y===s.turn&&(s.problem=O)}y===s.turn&&r(0)},c=async(w,y)=>{let O=y?s.pages[y-1].next:"",I=y?t$:e$,R=await a.current.read({..._l(a.current.wanted),limit:I,cursor:O});if(w!==s.turn)return;let A=s.pages[y];s.pages[y]={cursor:O,next:R.next_cursor||"",rows:R.rows,stale:!1},A&&A.next!==s.pages[y].next&&(s.pages.length=y+1),s.version+=1,s.complete=!s.pages[s.pages.length-1].next},d=async(w,y)=>{let O=y.kind==="group"?{..._l(a.current.wanted),cursor:y.inside,limit:Math.min(y.count||1,xl)}:{step:y.id,limit:xl},I=await a.current.read({...O,unfolded:!0});w===s.turn&&s.open.has(y.key)&&s.open.set(y.key,I.rows),s.version+=1},u=xe(()=>{s.loading||s.complete||!s.pages.length||(s.loading=!0,l(w=>c(w,s.pages.length)).finally(()=>{s.loading=!1,r(0)}))},[]),p=xe(()=>{if(s.loading)return void(s.due=!0);s.loading=!0;let[w,y]=s.view;l(async O=>{let I=s.pages.map((R,A)=>A).filter(R=>R===0||R>=w&&R<=y||R===s.pages.length-1);for(let R of s.pages)R.stale=!0;for(let R of I)(s.pages[R]||!R)&&await c(O,R);s.pages.length||await c(O,0);for(let R of s.opened.values())await d(O,R)}).finally(()=>{s.loading=!1,s.due&&(s.due=!1,p()),r(0)})},[]),f=xe((w,y)=>{s.view=[w,y],!s.loading&&s.pages.slice(w,y+1).some(O=>O.stale)&&p()},[]),$=xe(w=>{s.open.delete(w.key)?s.opened.delete(w.key):(s.open.set(w.key,null),s.opened.set(w.key,w),l(y=>d(y,w))),s.version+=1,r(0)},[]);_(()=>(Object.assign(s,vl()),r(0),p(),()=>{s.turn={}}),[n,t.order,t.only]);let b=C(o);_(()=>{b.current!==o&&(b.current=o,p())},[o]);let{rows:g,pageOf:M}=ie(()=>n$(s),[s.version,s.turn]);return{rows:g,pageOf:M,complete:s.complete,started:s.pages.length>0,problem:s.problem,open:s.open,more:u,see:f,toggle:$,retry:p}}var vl=()=>({turn:{},pages:[],open:new Map,opened:new Map,view:[0,0],loading:!1,due:!1,complete:!1,version:0,problem:null});function n$({pages:e,open:t}){let n=[],o=[],r=(s,a)=>(n.push(s),o.push(a));return e.forEach((s,a)=>{for(let l of s.rows){let c={...l,key:`${l.kind} ${l.id}`,depth:0},d=n[n.length-1];if(d&&o$(d,c)){n[n.length-1]=s$(d,c);continue}r(c,a);for(let u of t.get(c.key)||[])r({...u,key:`${c.key} ${u.id}`,depth:1},a)}}),{rows:n,pageOf:o}}function o$(e,t){return e.kind==="group"&&t.kind==="group"&&e.depth===0&&e.tool===t.tool&&e.step===t.step&&e.actor===t.actor&&!!(e.tool||e.actor_kind==="sub-agent")}function s$(e,t){let n={...e.states};for(let[r,s]of Object.entries(t.states||{}))n[r]=(n[r]||0)+s;let o=n.failed?"failed":e.state;return{...e,state:o,states:n,count:(e.count||0)+(t.count||0),ended:t.ended||e.ended,error:e.error||t.error}}k();et();j();var lr=[1,2,5,10,20,50,100,200,500,1e3,2e3,5e3,1e4,15e3,3e4,6e4,12e4,3e5,6e5,9e5,18e5,36e5,72e5,144e5,216e5,432e5,864e5,1728e5,6048e5];function kl(e){let t=r$(e);if(!t.length)return[{from:0,to:1e3,at:0,size:1e3,gap:!1}];let n=t.reduce((d,u)=>d+u.to-u.from,0),o=Math.max(3e4,.06*n),r=Math.max(.03*n,2e3),s=[],a=0,l=(d,u,p)=>{let f=p?r:u-d;s.push({from:d,to:u,at:a,size:f,gap:p}),a+=f},c=t[0].from;return t.forEach((d,u)=>{let p=t[u+1];p&&p.from-d.to<=o||(l(c,Math.max(d.to,c+1),!1),p&&(l(d.to,p.from,!0),c=p.from))}),s}function r$(e){let t=[...e].sort((o,r)=>o.from-r.from),n=[];for(let o of t){let r=n[n.length-1];r&&o.from<=r.to?r.to=Math.max(r.to,o.to):n.push({...o})}return n}function So(e,t){let n=0,o=e.length-1;for(;n<o;){let a=n+o+1>>1;e[a].from<=t?n=a:o=a-1}let r=e[n],s=(t-r.from)/Math.max(1,r.to-r.from);return r.at+Math.max(0,Math.min(1,s))*r.size}var Sl=e=>e[e.length-1].at+e[e.length-1].size;function Tl(e,t,n,o,r){let s=1/Math.max(1e-9,t(1)-t(0)),a=lr.find(c=>c>=o*s)||lr[lr.length-1],l=[];for(let c of e){if(c.gap||c.at>n.to||c.at+c.size<n.from)continue;let d=Math.max(c.from,c.from+(n.from-c.at)),u=Math.min(c.to,c.from+(n.to-c.at));for(let p=Math.ceil((d+r)/a)*a-r;p<=u;p+=a)l.push({time:p,x:t(c.at+p-c.from)})}return{step:a,marks:l}}var Ml=44,i$=60,a$=620,El=5e3,l$=2e4,c$=20,d$=84;function Cl({work:e,execution:t,selected:n="",row_actions:o,onSelect:r,empty:s}){let{rows:a,complete:l,open:c}=e,[d,u]=Rn(),p=u>0&&u<a$,f=(p?i$:Ml)+(be("density")==="comfortable"?8:0),{scale:$,edge:b}=u$(a,t,l),g=pl(Sl($)),{view:M}=g,[w,y]=h(0),O=C([0,0]),I=C(null),R=U=>(So($,U)-M.from)/(M.to-M.from),A=U=>p$(U,R,b),Y=xe((U,me)=>{O.current=[U,me],e.see(e.pageOf[U]??0,e.pageOf[Math.min(me,e.pageOf.length)-1]??0)},[e.pageOf]);_(()=>{e.started&&!e.problem&&O.current[1]>=a.length-c$&&e.more()});let le=()=>{let U=a.slice(...O.current).filter(F=>F.begun);if(!U.length)return;let me=Math.min(...U.map(F=>So($,Date.parse(F.begun)))),De=Math.max(...U.map(F=>So($,cr(F,b))));g.show({from:me-(De-me)*.02,to:De+(De-me)*.02})},H=m$(d,a,y,e.toggle,{zoom:g,fitRows:le}),K=U=>U.kind==="group"?e.toggle(U):r(U),se=Math.min(w,a.length-1),de=a.findIndex(U=>n&&(Ot(U)===n||U.kind==="step"&&U.id===n));return _(()=>{de>=0&&y(de)},[de]),i`<div class=${Q("waterfall",p&&"waterfall-narrow",o&&"waterfall-acting")} ref=${d} data-testid="waterfall" onKeyDown=${H}>
    <${L} problem=${e.problem} retry=${e.retry} />
    ${e.started?!a.length&&l?s||i`<${q} icon="timeline" title="No actions yet.">Actions appear here as soon as they begin.</${q}>`:i`
      <${Ct}
        label="Steps and actions"
        outer="table"
        role="rowgroup"
        rows=${a}
        height=${f}
        selected=${de}
        onRange=${Y}
        head=${i`<div class="work-head" role="rowgroup"><div class="work-row work-head-row" role="row">
          <span role="columnheader" class="work-what">what</span><span role="columnheader" class="work-state">state</span><span role="columnheader" class="work-actions"><span class="visually-hidden">what to do</span></span><span role="columnheader" class="work-took">took</span>
          <div role="columnheader" class="work-chart" ref=${I}><span class="visually-hidden">when</span><${f$} scale=${$} view=${M} share=${R} zoom=${g} /></div>
        </div></div>`}
        row=${(U,me)=>i`<${rl} key=${U.key} row=${U} index=${me} height=${f} place=${A(U)} on=${me===de} focusable=${me===se} unfolded=${c.has(U.key)} loading=${c.get(U.key)===null} row_actions=${o} onSelect=${K} onToggle=${e.toggle} />`}
      />
      <div class="work-foot">
        <span class="soft" role="status">${a.length}${l?"":"+"} row${a.length===1?"":"s"}</span>
        <span class="work-zoom">
          <${v} kind="ghost" icon="table" label="Zoom to the rows in view" onClick=${le} />
          <${v} kind="ghost" icon="zoomout" label="Zoom out" onClick=${()=>g.zoom(1.6)} disabled=${!g.zoomed} />
          <${v} kind="ghost" icon="zoomin" label="Zoom in" onClick=${()=>g.zoom(.6)} />
          <${v} kind="ghost" icon="fit" label="Show all" onClick=${g.fit} disabled=${!g.zoomed} />
        </span>
      </div>`:i`<${B} what="Loading" />`}
  </div>`}function u$(e,t,n){let o=ve(),r=Date.parse(t.interrupted||t.last||t.started)||o,a=!t.ended&&!t.interrupted?Math.min(Math.max(r,Math.ceil(o/El)*El),r+l$):r;return{scale:ie(()=>{let c=e.filter(p=>p.begun).map(p=>({from:Date.parse(p.begun),to:cr(p,a)})),d=Math.max(a,...c.map(p=>p.to).slice(-1)),u=n||!c.length?d:c[c.length-1].to;return kl([...c,{from:Math.min(u,d),to:d}])},[e,a,n]),edge:a}}function cr(e,t){let n=Date.parse(e.begun),o=e.ended||e.lost;return Math.max(n,o?Date.parse(o):t)}function p$(e,t,n){if(!e.begun)return null;let o=t(Date.parse(e.begun)),r=t(cr(e,n));if(r<0||o>1)return null;let s=Math.max(0,Math.min(o,1));return{left:s,width:Math.max(0,Math.min(r,1)-s),open:!e.ended&&!e.lost}}function f$({scale:e,view:t,share:n,zoom:o}){let[r,s]=Rn();fl(r,o);let l=be("zone")==="utc"?0:-new Date().getTimezoneOffset()*6e4,c=p=>(p-t.from)/(t.to-t.from)*s,{step:d,marks:u}=s?Tl(e,c,t,d$,l):{step:0,marks:[]};return i`<div class="work-axis" ref=${r} aria-hidden="true" title="Drag to move, Ctrl and wheel to zoom">
    ${e.filter(p=>p.gap&&p.at+p.size>t.from&&p.at<t.to).map(p=>{let f=pe(p.to-p.from,1);return i`<span class="work-gap" title=${`${f} without entries`} style=${{left:`${c(p.at)}px`,width:`${c(p.at+p.size)-c(p.at)}px`}}><span>${f}</span></span>`})}
    ${u.map(({time:p,x:f})=>i`<span class="work-tick" style=${{left:`${Math.round(f)}px`}}>${$$(p,d)}</span>`)}
  </div>`}function $$(e,t){let n={hour:"2-digit",minute:"2-digit"};return t<6e4&&(n.second="2-digit"),t<1e3&&(n.fractionalSecondDigits=3),t>=432e5&&Object.assign(n,{day:"numeric",month:"short"}),new Date(e).toLocaleTimeString("en-GB",{...n,timeZone:mo("zone")==="utc"?"UTC":void 0})}function m$(e,t,n,o,{zoom:r,fitRows:s}){let a=C("");return we(()=>{if(!a.current)return;let l=e.current?.querySelector(`[data-row="${CSS.escape(a.current)}"] [data-focus]`);l&&(a.current="",l.focus({preventScroll:!0}),l.scrollIntoView({block:"nearest"}))}),l=>{let c=l.target;if(!c.matches("[data-focus], .work-fold, .virtual"))return;let d=t.findIndex(M=>M.key===c.closest("[data-row]")?.getAttribute("data-row")),u=M=>{let w=Math.min(Math.max(M,0),t.length-1),y=e.current.querySelector(".virtual"),O=y.querySelector("[data-row]")?.offsetHeight||Ml,I=y.clientHeight-O;w*O<y.scrollTop?y.scrollTop=w*O:w*O>y.scrollTop+I-O&&(y.scrollTop=w*O-I+O),a.current=t[w]?.key||"",n(w)},p=t[d],f=p&&rr(p),$=c.closest("[data-row]")?.querySelector("[aria-expanded]")?.getAttribute("aria-expanded")==="true",g={ArrowDown:()=>u(d+1),ArrowUp:()=>u(d-1),Home:()=>u(0),End:()=>u(t.length-1),"+":()=>r.zoom(.6),"-":()=>r.zoom(1.6),0:r.fit,z:s,...f&&!$&&{ArrowRight:()=>o(p)},...f&&$&&{ArrowLeft:()=>o(p)}}[l.key];!g||l.ctrlKey||l.metaKey||l.altKey||(g(),l.preventDefault(),l.stopPropagation())}}var h$=80,g$=["session_ended","body_erased"],b$={done:"done",failed:"failed",in_doubt:"in doubt",unplanned:"unplanned",open:"under way"};function Al({status:e,query:t,chosen:n,select:o,row_actions:r}){let{execution:s}=e,a=!!s.plan_id,l=t.get("view")||(a?"plan":"time"),c=t.get("only")||"",d=xe(g=>E(`/v1/executions/${encodeURIComponent(s.id)}/work`,g),[s.id]),p=wl({read:d,wanted:{order:l==="graph"?"plan":l,only:c},by:s.id,version:y$(s.id)}),f=async()=>{let{rows:g}=await d({only:"failed",limit:1});g.length&&o({action:g[0].id})};fe("Work",{e:{label:"go to the first failure",run:()=>{f()}}});let $=[["plan","Plan"],["time","Time"],["newest","Newest first"],["graph","Graph"]],b=b$[c];return i`<section class="panel panel-flush work-panel" aria-label="Work">
    <div class="work-tools">
      <${oe} label="View" value=${c?"":l} choices=${a?$:$.slice(1,3)} onChange=${g=>J({view:g,only:""})} />
      ${s.failed>0&&i`<${v} icon="first" onClick=${f}>First failure</${v}>`}
      ${b&&i`<${v} icon="close" onClick=${()=>J({only:""})}>Only ${b}</${v}>`}
    </div>
    ${l==="graph"&&!c?i`<${bl} work=${p} selected=${n.step} onStep=${g=>o({step:g})} />`:i`<${Cl}
          work=${p}
          execution=${s}
          selected=${n.action||n.step}
          row_actions=${r}
          onSelect=${g=>o(Ot(g)?{action:Ot(g)}:{step:g.id})}
          empty=${b&&i`<${q} title=${`No actions are ${b}.`} />`}
        />`}
  </section>`}function y$(e){let[t,n]=h(0),o=C(0);return Le(r=>{r&&r.execution_id!==e&&!g$.includes(r.kind)||(o.current||=setTimeout(()=>(o.current=0,n(s=>s+1)),h$))}),t}k();dr();k();te();Ce();et();j();V();k();Z();var Ll=100,Rl=1e3,Dl=6e4,k$=240,S$=40,T$=300;function Pl(e){let[t,n]=h({entries:[],complete:!1,problem:null}),[o,r]=h(0),s=C({entries:[],last:0,busy:!1,due:!1,stop:!1,timer:0}),a=async l=>{let c=s.current;if(c.busy){c.due=!0;return}c.busy=!0;let d=performance.now(),u=p=>{d=performance.now(),n({entries:c.entries,complete:p,problem:null})};try{let p=!0;do{c.due=!1;let f=await E("/v1/entries",{execution_id:e,after:c.last,limit:c.last?Rl:Ll});if(c.stop)return;f.entries.length&&(c.entries=c.entries.concat(f.entries.map(E$))),c.last=f.entries.length?f.entries[f.entries.length-1].seq:c.last,!f.entries.length&&f.more&&(c.last=f.last_seq),p=f.more,(c.entries.length<=Ll||performance.now()-d>T$)&&u(!p)}while(p&&c.entries.length<l||c.due);u(!p)}catch(p){c.stop||n(f=>({...f,problem:p}))}finally{c.busy=!1}};return _(()=>{s.current={entries:[],last:0,busy:!1,due:!1,stop:!1,timer:0};let l=s.current;return a(Dl),()=>{l.stop=!0,clearTimeout(l.timer)}},[e,o]),Le(l=>{if(l?.kind==="body_erased"&&r(d=>d+1),l&&l.execution_id!==e)return;let c=s.current;clearTimeout(c.timer),c.timer=setTimeout(()=>a(Dl),S$)}),{...t,more:()=>{!t.complete&&a(s.current.entries.length+Rl)}}}function E$(e){let{facts:t={},body:n}=e,o=n&&typeof n=="object"?n:{},r=t.channel==="client"?"in a client that could have answered by itself ":"",s=o.error||o.summary||o.title||o.why||o.question||o.reason||o.answer||t.key||t.event||t.reason||t.problem||"";return{seq:e.seq,kind:e.kind,at:e.at,id:e.id,actor:t.credential||e.actor,witness:e.witness,word:t.decision||t.verdict||t.status||t.event||"",tool:t.tool||"",text:`${r}${s}`.slice(0,k$),outcome:t.outcome||(e.kind==="action_doubted"?"in_doubt":""),undo:t.action_kind==="undo",behind:e.behind||0}}var M$={ok:"ok",failed:"failed",skipped:"skipped",unknown:"in_doubt",in_doubt:"in_doubt"},C$=new Set(["failed","in_doubt"]),To=class e{constructor(t){this.paired=t,this.first=void 0,this.all=[],this.indexBySeq=new Map,this.taken=0,this.begun=new Map}take(t){for(t[0]!==this.first&&Object.assign(this,new e(this.paired),{first:t[0]});this.taken<t.length;this.taken++)this.add(t[this.taken]);return this.all}add(t){let o=this.paired&&(t.kind==="action_ended"||t.kind==="action_doubted")?this.begun.get(t.id):void 0;if(o!==void 0){this.all[o]={...this.all[o],end:t,state:jl(t)},this.indexBySeq.set(t.seq,o);return}this.paired&&t.kind==="action_begun"&&this.begun.set(t.id,this.all.length),this.indexBySeq.set(t.seq,this.all.length),this.all.push({entry:t,end:null,state:jl(t)})}};function Dn(e,t){return(e.end||e.entry.kind==="action_begun")&&t.get(e.entry.id)||e.state}function jl(e){return M$[e.outcome]||""}var ql=(e,t)=>C$.has(Dn(e,t))||e.entry.kind==="decision_recorded";function Bl(e){let t=new Map;return e.forEach((n,o)=>{t.set(n.entry.seq,o),n.end&&t.set(n.end.seq,o)}),t}V();k();var A$=/[\p{L}\p{N}]/u,O$=5e3;function zl(e,t,n){let[o,r]=h({seqs:[],done:!0,more:!1,problem:null});return _(()=>{let s=new AbortController,a=async()=>{let l=[],c=0,d=!0;for(;d&&l.length<O$;){let u=await E("/v1/entries",{execution_id:e,text:t,after:c,limit:1e3},{signal:s.signal});if(l=l.concat(u.entries.map(p=>p.seq)),u.last_seq<=c)break;c=u.last_seq,d=u.more}r({seqs:l,done:!0,more:d,problem:null})};return A$.test(t)?(r(l=>({...l,done:!1})),a().catch(l=>l.name!=="AbortError"&&r({seqs:[],done:!0,more:!1,problem:l}))):r({seqs:[],done:!0,more:!1,problem:null}),()=>s.abort()},[e,t,n]),o}function Fl(e,t){let n=t.split(/\s+/).map(r=>r.replace(/[^\p{L}\p{N}_-]/gu,"")).filter(r=>r.length>1);if(!n.length)return[{text:e,hit:!1}];let o=new RegExp(`(${n.join("|")})`,"giu");return e.split(o).filter(Boolean).map(r=>({text:r,hit:n.some(s=>s.toLowerCase()===r.toLowerCase())}))}var I$={decision_recorded:"claimed",approval_requested:"blocked",approval_decided:"completed",context_recorded:"context",execution_started:"running",execution_ended:"completed",action_noted:"edit",session_noted:"agent",body_erased:"close",unreadable:"warning"};function Hl({execution:e,selected:t,action:n,onEntry:o,onAction:r}){let{lines:s}=Il(e),{entries:a,complete:l,problem:c,more:d}=Pl(e),[u,p]=h("compact"),[f,$]=h("all"),[b,g]=h(!1),[M,w]=h(""),y=zl(e,M,l?a.length:0),O=u==="compact",I=ie(()=>new Map(O?s.map(G=>[G.id,G.state]):[]),[s,O]),R=ie(()=>new To(O),[a[0]?.seq,O]),A=ie(()=>[...R.take(a)],[R,a]),Y=ie(()=>f==="all"?A:A.filter(G=>ql(G,I)),[A,f,I]),le=ie(()=>f==="all"?R.indexBySeq:Bl(Y),[R,Y,f]),[H,K]=h(0),se=le.get(H)??-1,de=C("");_(()=>{let G=t||n?`${t} ${n}`:"";if(G===de.current)return;let Pe=t?le.get(t):Y.findIndex(zu=>zu.entry.id===n);G&&(Pe===void 0||Pe<0)||(de.current=G,G&&K(Y[Pe].entry.seq))},[t,n,Y]);let U=G=>G.entry.id.startsWith("ac_")&&O?r(G.entry.id):o(G.entry.seq),me=G=>Y[G]&&(g(!1),K(Y[G].entry.seq)),De=ie(()=>Y.findIndex(G=>Dn(G,I)==="failed"),[Y,I]),F=ie(()=>[...new Set(y.seqs.map(G=>le.get(G)))].filter(G=>G!==void 0),[y.seqs,Y]),jt=ie(()=>new Set(F),[F]),ze=F.findIndex(G=>G===se),bt=G=>F.length&&me(F[ze<0?G>0?Math.max(0,F.findIndex(Pe=>Pe>se)):F.length-1:(ze+G+F.length)%F.length]);fe("Journal",{j:{label:"next entry",run:()=>me(se+1)},k:{label:"previous entry",run:()=>me(se-1)},Enter:{label:"open the entry",run:()=>Y[se]&&U(Y[se])},f:{label:"follow",run:()=>g(!b)},e:{label:"go to the first failure",run:()=>me(De)},n:{label:"next match",run:()=>bt(1)},N:{label:"previous match",run:()=>bt(-1)}});let Qr=C(G=>{});Qr.current=G=>(K(G.entry.seq),U(G));let Zo=be("density")==="comfortable"?40:30;return c&&!a.length?i`<${L} problem=${c} />`:a.length?i`<div class="journal">
    <div class="journal-tools">
      <${Ve} label="Search this journal" value=${M} onChange=${w} onEnter=${()=>bt(1)} placeholder="Search all entries">
        ${M&&i`<span class="journal-count" role="status">${y.done?`${ze>=0?`${ze+1} of `:""}${F.length}${y.more?"+":""} in ${y.seqs.length}${y.more?"+":""} entries`:"…"}</span>
          <${v} kind="ghost" icon="up" label="Previous match" onClick=${()=>bt(-1)} /><${v} kind="ghost" icon="down" label="Next match" onClick=${()=>bt(1)} />`}
      </${Ve}>
      <${oe} label="Entries" value=${u} choices=${[["compact","Compact"],["full","Full"]]} onChange=${p} />
      <${oe} label="Which" value=${f} choices=${[["all","All"],["problems","Problems and decisions"]]} onChange=${$} />
      <span class="journal-end">
        <${v} icon="first" disabled=${De<0} onClick=${()=>me(De)}>First failure</${v}>
        <${v} icon="follow" pressed=${b} onClick=${()=>g(!b)}>Follow</${v}>
        <span class="soft num">${Y.length} rows, ${a.length}${l?"":"…"} entries</span>
      </span>
    </div>
    <${L} problem=${c||y.problem} />
    <div class="journal-list panel">
      <${Ct}
        label="Journal"
        rows=${Y}
        height=${Zo}
        selected=${se}
        atEnd=${b}
        onEnd=${G=>b&&!G&&g(!1)}
        onNear=${d}
        looks=${(G,Pe)=>[Pe,Zo,Pe===se,jt.has(Pe),Dn(G,I),M].join(" ")}
        row=${(G,Pe)=>i`<${N$} key=${G.entry.seq} row=${G} state=${Dn(G,I)} height=${Zo} on=${Pe===se} hit=${jt.has(Pe)} search=${M} onOpen=${()=>Qr.current(G)} />`}
      />
    </div>
  </div>`:l?i`<${q} title="No entries." />`:i`<${B} what="Loading the journal" />`}function N$({row:e,state:t,height:n,on:o,hit:r,search:s,onOpen:a}){let{entry:l,end:c}=e,d=c?.text&&t==="failed"?`${l.text?`${l.text}: `:""}${c.text}`:l.text||c?.text||(l.tool?"":l.id),u=I$[l.kind],p=l.behind||c?.behind;return i`<div class=${Q("line",o&&"line-on",r&&"line-hit",t&&`line-${t}`)} role="listitem" style=${{height:`${n}px`}}>
    <span class="num faint">${l.seq}${c?i`<span class="line-pair">–${c.seq}</span>`:null}</span>
    <${N} at=${l.at} form="absolute" />
    <span class="line-state">${t?i`<${W} state=${t} quiet />`:i`<span class="line-kind">${u&&i`<${S} name=${u} />`}${l.word||In(l.kind)}</span>`}</span>
    <button type="button" class="line-what cut" aria-pressed=${String(o)} onClick=${a}>
      ${p?i`<span class="soft">(clock ${pe(p*1e3)} behind) </span>`:null}${l.undo&&i`<strong>undo </strong>`}${l.tool?i`<code><${m} text=${l.tool} /></code> `:t||!l.word?null:i`<span class="soft">${In(l.kind)} </span>`}
      ${s?Fl(d,s).map(f=>f.hit?i`<mark><${m} text=${f.text} /></mark>`:i`<${m} text=${f.text} />`):i`<${m} text=${d} />`}
    </button>
    <span class="line-who cut"><${m} text=${l.actor} /></span>
    <span class="line-witness"><${Xe} witness=${l.witness} /></span>
    <span class="num line-took">${c&&t!=="in_doubt"?pe(Date.parse(c.at)-Date.parse(l.at)):""}</span>
  </div>`}Ce();Z();z();var L$=8,Ul=()=>`tallystick.recent.${X()}`;function ur(){try{let e=JSON.parse(localStorage.getItem(Ul())||"[]");return Array.isArray(e)?e.filter(t=>typeof t?.path=="string"&&t.path.startsWith("/")&&!t.path.startsWith("//")&&typeof t.title=="string"):[]}catch{return[]}}function Wl(e){let t=location.pathname,n=ur().filter(o=>o.path!==t);localStorage.setItem(Ul(),JSON.stringify([{path:t,title:e},...n].slice(0,L$)))}var pr=99,fr="Tallystick",Nt=0;function Eo(e,t=!1){t&&Wl(e),fr=e==="Tallystick"?e:`${e} · Tallystick`,Vl()}function Kl(e){if(e===Nt)return;Nt=e,Vl();let t=document.querySelector("link[rel=icon]");t&&(t.href=Nt?`/favicon.ico?waiting=${Math.min(Nt,pr+1)}`:"/static/favicon.svg")}function Vl(){document.title=Nt?`(${R$()}) ${fr}`:fr}var R$=()=>Nt>pr?`${pr}+`:String(Nt);z();j();var D$=1e4,P$=["not_undone","undoing","in_doubt","failed"];function j$({id:e,query:t}){let{data:n,problem:o,reload:r}=P({by:[e],execution:e},d=>E(`/v1/executions/${encodeURIComponent(e)}/status`,{limit:D$},{signal:d}));_(()=>{n&&Eo(_e(n.execution.title||e),!0)},[n?.execution.title]);let s=t.get("tab")||"work";if(B$(e,s),!n)return i`<div class="page"><h1 class="visually-hidden">${e}</h1>${o?i`<${L} problem=${o} retry=${r} />`:i`<${B} what="Loading the execution" />`}</div>`;let a={action:t.get("action")||"",step:t.get("step")||"",entry:t.get("entry")||""},l=d=>J({action:"",step:"",entry:"",...d}),c=!!(a.action||a.step||a.entry);return i`<div class="page x-page">
    <${sl} status=${n} query=${t} />
    <${L} problem=${o} retry=${r} />
    <${_n} label="Views of this execution" value=${s} tabs=${q$(n)} href=${d=>Gl(e,d)} />
    <div class=${Q("x-body",c&&"x-detailed",`x-tab-${s}`)}>
      <div class="x-main"><${z$} tab=${s} status=${n} query=${t} chosen=${a} select=${l} /></div>
      ${c&&i`<${Za} execution=${e} status=${n.execution.status} ...${a} steps=${n.steps||[]} onClose=${()=>l({})} onAction=${d=>l({action:d})} />`}
    </div>
  </div>`}var Zt=[["work","Work"],["journal","Journal"],["undo","Undo list"],["doubt","In doubt"],["context","Context"],["coverage","Coverage"]],Gl=(e,t)=>x(`/x/${e}`,{tab:t===Zt[0][0]?"":t});function q$(e){let{owed:t,in_doubt:n,undo_states:o={}}=e.execution,s={undo:P$.reduce((l,c)=>l+Number(o[c]||0),0),doubt:n},a={undo:t?"undo":"plain",doubt:"doubt"};return Zt.map(([l,c])=>({id:l,title:c,count:s[l],tone:a[l]}))}function B$(e,t){let n=Zt.findIndex(([r])=>r===t),o=r=>ae(Gl(e,Zt[(n+r+Zt.length)%Zt.length][0]));fe("Execution",{"]":{label:"next view",run:()=>o(1)},"[":{label:"previous view",run:()=>o(-1)},u:{label:"back to all executions",run:()=>ae("/executions")}})}function z$({tab:e,status:t,query:n,chosen:o,select:r}){let s=t.execution,a=l=>r({action:l});return e==="journal"?i`<${Hl} execution=${s.id} selected=${Number(o.entry)||0} action=${o.action} onEntry=${l=>r({entry:l})} onAction=${a} />`:e==="undo"?i`<${ll} execution=${s.id} onAction=${a} />`:e==="doubt"?i`<${el} execution=${s.id} onAction=${a} />`:e==="context"?i`<${Pa} execution=${s.id} task=${s.task_id||""} />`:e==="coverage"?i`<${ja} coverage=${t.coverage} />`:i`<${Al} status=${t} query=${n} chosen=${o} select=${r} row_actions=${il(s)} />`}var vr={};Me(vr,{Page:()=>pm});V();gr();Co();V();Co();k();Z();z();var V$={m:6e4,h:36e5,d:864e5,w:6048e5},G$=20,J$=8;function qn(e,t=Date.now()){let n=e.trim().toLowerCase();if(n==="today")return{since:tn(jn(t,0,0))};if(n==="yesterday")return{since:tn(jn(t,-1,0)),until:tn(jn(t,0,0))};if(n==="last night"){let r=jn(t,0,J$);return{since:tn(jn(t,-1,G$)),...r<t?{until:tn(r)}:{}}}let o=/^(\d{1,6})\s*([mhdw])$/.exec(n);return o?{since:tn(t-Number(o[1])*V$[o[2]])}:null}function jn(e,t,n){let o=new Date(e);return new Date(o.getFullYear(),o.getMonth(),o.getDate()+t,n).getTime()}var tn=e=>new Date(e).toISOString();j();function Y$(e){try{let t=JSON.parse(localStorage.getItem(tc(e))||"null");return Number.isFinite(t?.since)&&Number.isFinite(t?.until)?t:null}catch{return null}}var tc=e=>`tallystick.looked.${e}`;function Ao(e){let t=Date.now(),n=Y$(e),o=n?t-n.until<6e5?n.since:n.until:0;return localStorage.setItem(tc(e),JSON.stringify({since:o,until:t})),o}function nc(e,t){let n=()=>document.hidden||Ao(e),o=()=>!document.hidden&&t(),r=setInterval(n,6e4);return document.addEventListener("visibilitychange",o),()=>(clearInterval(r),document.removeEventListener("visibilitychange",o))}var X$=12,Q$=[["look","Since you last looked"],["24h","24 hours"],["last night","Last night"],["7d","7 days"]],Z$={look:"Since you last looked","24h":"The last 24 hours","last night":"Last night","7d":"The last 7 days"},em=["execution_started","execution_ended","decision_recorded"],tm=[["failed","failed","failed"],["completed","finished","ok"],["cancelled","cancelled","idle"],["closed","closed","idle"],["started","started","running"]];function oc({range:e}){let[t,n]=h(()=>Ao(X()));_(()=>nc(X(),()=>n(Ao(X()))),[]);let o=e||(t?"look":"24h"),r=o==="look"?{since:new Date(t).toISOString()}:qn(o)??{since:"24h"},s=P({by:[X(),o,t],kinds:em},l=>E("/v1/activity",{...r,limit:X$},{signal:l})),a=s.data;return i`<section class="home-activity" aria-labelledby="happened">
    <header class="page-head">
      <h2 id="happened">${Z$[o]??o}</h2>
      ${a&&i`<${nm} since=${a.since} until=${a.until} />`}
      <div class="page-head-end"><${oe} label="Range" value=${o} choices=${Q$} onChange=${l=>J({range:l==="look"?"":l},{replace:!0})} /></div>
    </header>
    <${L} problem=${s.problem} retry=${s.reload} />
    ${a?i`<${om} data=${a} />`:!s.problem&&i`<${B} />`}
  </section>`}function nm({since:e,until:t}){let n=tt(),o=ve(),r=o-Date.parse(t)<6e4;return i`<p class="soft">${wn(e,n)} – ${r?"now":wn(t,n)}${r?` (${pe(o-Date.parse(e),1)})`:""}</p>`}function om({data:e}){let t=e.agents??[],n=e.executions??[];return t.length?i`<ul class="home-agents" aria-label="By agent">
      ${t.map(o=>i`<li key=${o.actor}>
        <strong class="cut"><${m} text=${o.actor} /></strong>
        <span>${tm.filter(([r])=>o[r]).map(([r,s,a],l)=>i`${l?", ":""}<span class=${`count-${a}`}>${o[r]} ${s}</span>`)}</span>
      </li>`)}
    </ul>
    <div class="panel home-rows" role="list" aria-label="Executions">
      ${n.map((o,r)=>i`<${en} key=${o.id} row=${o} index=${`happened-${r}`} selected=${!1} onFocus=${()=>{}} />`)}
    </div>
    ${(e.more||e.whole===!1)&&i`<p class="soft">${e.more?"There are more. ":"Older executions may have ended in this time. "}<a href=${x("/executions",{q:`since:${e.since}`})}>Show all executions started since</a></p>`}`:i`<${D}><${q} icon="check" title="Nothing was started or finished." /><//>`}k();te();Oo();Ce();z();j();var xr={question_waits:{word:"Question",many:"questions",tone:"waiting",icon:"blocked",button:"Answer"},undo_expires:{word:"Undo expires",many:"undos expire",tone:"undo",icon:"late",button:"Undo or keep"},in_doubt:{word:"In doubt",tone:"doubt",icon:"in_doubt",button:"Settle"},run_held:{word:"Step held",many:"steps held",tone:"doubt",icon:"paused",button:"Settle"},interrupted:{word:"Interrupted",tone:"doubt",icon:"warning",button:"Take up or end"},undo_left:{word:"Not undone",tone:"undo",icon:"owed",button:"Undo or keep"}},im={in_doubt:"doubt",run_held:"doubt",undo_expires:"undo",undo_left:"undo"},rc=(e,t)=>`${t} ${t>1&&xr[e]?.many||(xr[e]?.word??e).toLowerCase()}`;function ic(e){return e.need==="question_waits"?x(`/approvals/${e.about}`):x(`/x/${e.execution_id}`,{tab:im[e.need]??""})}function ac({items:e}){let[t,n]=h(-1),o=r=>n(Math.max(0,Math.min(e.length-1,t+r)));return fe("Needs you",{j:{label:"next",run:()=>o(1)},k:{label:"previous",run:()=>o(-1)},Enter:{label:"open it",run:()=>e[t]&&ae(ic(e[t]))}}),_(()=>{if(t<0)return;document.querySelector(`[data-need="${t}"] .need-link`)?.focus()},[t]),i`<ul class="needs panel" aria-label="What needs you">
    ${e.map((r,s)=>i`<${am} key=${`${r.need}/${r.about}`} item=${r} index=${s} onFocus=${()=>n(s)} />`)}
  </ul>`}function am({item:e,index:t,onFocus:n}){let{word:o,tone:r,icon:s,button:a}=xr[e.need]??{word:e.need,tone:"plain",icon:"warning",button:"Open"},l=ic(e);return i`<li class=${`need tone-${r}`} data-need=${t}>
    <span class="need-kind"><${ee} tone=${r} icon=${s}>${o}</${ee}></span>
    <div class="need-what">
      <a class="need-link" href=${l} onFocus=${n}><${m} text=${e.need==="question_waits"?e.text:e.title||e.text} /></a>
      <p class="need-text soft">
        ${e.need==="question_waits"?e.title&&i`<${m} text=${e.title} />`:e.title&&i`<${m} text=${e.text} />`}
        ${e.count>1&&i`<strong>, and ${e.count-1} more</strong>`}
      </p>
    </div>
    <div class="need-since">
      ${e.until?i`<${lm} until=${e.until} />`:i`<span><${N} at=${e.since} /></span>`}
      ${e.who&&i`<span class="need-who cut"><${m} text=${e.who} /></span>`}
    </div>
    <${He} class="need-button" href=${l} kind=${e.need==="question_waits"?"primary":"plain"} tabindex="-1" aria-label=${`${a}: ${_e(e.title||e.text)}`}>${a}</${He}>
  </li>`}function lm({until:e}){let{text:t,urgency:n}=Bn(e,ve());return i`<span class="need-until" title=${e}><${S} name="late" size=${14} /> ${n==="over"?"too late":t}</span>`}V();k();Z();z();j();var cm=6e4,lc={verify_failed:"Verification failed",hook_silent:"Hooks are silent",run_failed:"A run failed",tool_failing:"A tool fails more than usual",step_slow:"A step takes long"};function cc(){let{data:e,reload:t}=P({by:[X()],kinds:["alert_silenced","execution_ended"]},o=>E("/v1/alerts",{},{signal:o}));_(()=>{let o=setInterval(()=>document.hidden||t(),cm);return()=>clearInterval(o)},[]);let n=(e?.alerts??[]).filter(o=>o.rule in lc&&!o.silenced);return n.length?i`<section aria-labelledby="watch">
    <header class="page-head"><h2 id="watch">Worth a look</h2><div class="page-head-end"><a href=${x("/alerts")}>All alerts</a></div></header>
    <ul class="needs panel" aria-label="Worth a look">
      ${n.map(o=>i`<li class="need" key=${`${o.rule}/${o.about}`}>
        <span class="need-kind"><${ee} tone="failed" icon="warning">${lc[o.rule]}</${ee}></span>
        <div class="need-what">
          ${o.execution_id?i`<a class="need-link" href=${x(`/x/${o.execution_id}`)}><${m} text=${o.text} /></a>`:i`<span class="need-link"><${m} text=${o.text} /></span>`}
          <p class="need-text soft"><${m} text=${[o.title,o.to_do].filter(Boolean).join(" · ")} /></p>
        </div>
        <div class="need-since"><span><${N} at=${o.since} /></span></div>
      </li>`)}
    </ul>
  </section>`:null}k();te();V();k();Z();z();var dm=["approval_","execution_","action_doubted","decision_recorded","session_opened","session_ended"],um=1e4,dc=ds({data:null,problem:null,reload:()=>{}}),_r=dc.Provider;function uc(){let e=P({kinds:dm,by:[X()]},t=>E("/v1/inbox",{limit:50},{signal:t}));return _(()=>{let t=setInterval(()=>document.hidden||e.reload(),um);return()=>clearInterval(t)},[]),_(()=>Kl(ke()?0:zn(e.data)),[e.data]),e}var Io=()=>hs(dc),zn=e=>Object.values(e?.counts??{}).reduce((t,n)=>t+n,0);Z();z();j();function pm({query:e}){let{data:t,problem:n,reload:o}=Io(),r=P({by:[X()],kinds:["execution_started"]},l=>E("/v1/executions",{limit:1},{signal:l})),s=e.has("q")||e.has("group")||ke();if(_(()=>{s&&ae(x("/executions",e),{replace:!0})},[s]),s)return null;if(r.data&&!r.data.executions.length)return i`<${Mo} />`;if(!t||!r.data)return i`<div class="page"><h1 class="visually-hidden">Home</h1>${n?i`<${L} problem=${n} retry=${o} />`:i`<${B} />`}</div>`;let a=zn(t);return i`<div class="page home">
    <header class="page-head">
      <h1>${a?"Needs you":"Nothing needs you"}</h1>
      ${a>0&&i`<p class="home-counts soft">${fm(t.counts)}</p>`}
    </header>
    <${L} problem=${n} retry=${o} />
    ${a?i`<${ac} items=${t.items} />`:i`<p class="home-calm"><${S} name="completed" size=${20} /><span>No question waits, nothing is in doubt, and nothing is left to undo.</span></p>`}
    ${(t.items.length<a||t.more.length>0)&&i`<p class="soft">There are more: look at <a href=${x("/executions")}>all executions</a>.</p>`}
    <${$m} rows=${t.working} count=${t.working_count} />
    <${cc} />
    <${oc} range=${e.get("range")||""} />
  </div>`}var fm=e=>Object.entries(e).map(([t,n])=>rc(t,n)).join(" · ");function $m({rows:e,count:t}){return i`<section aria-labelledby="working">
    <header class="page-head">
      <h2 id="working">${t?"Running now":"Nothing is running"}</h2>
      ${t>0&&i`<p class="soft">${t} ${t===1?"execution":"executions"}</p>`}
      <div class="page-head-end"><a href=${x("/executions")}>All executions</a></div>
    </header>
    ${t>0&&i`<div class="panel home-rows" role="list" aria-label="Running now">
      ${e.map((n,o)=>i`<${en} key=${n.id} row=${n} index=${`working-${o}`} selected=${!1} onFocus=${()=>{}} />`)}
    </div>`}
    ${t>e.length&&i`<p class="soft"><a href=${x("/executions",{q:"status:running"})}>Show all that are running</a></p>`}
  </section>`}z();Fe();kr();Bt();k();te();V();k();te();z();je();var hm="excerpt";function hc(){let[e,t]=h([]),n=ke()?X():"";if(_(()=>{n&&E("/v1/imports").then(s=>t(s.imports),()=>{})},[n]),!n)return null;let o=e.find(s=>s.journal===n),r=o&&!o.verified;return i`<p class=${`imported ${r?"imported-wrong":""}`} role="note">
    <${S} name=${r?"warning":"import"} />
    <span>This is an imported export${o&&o.of!==hm&&i` of <code><${m} text=${o.of} /></code>`}, not a journal of this server.
      ${r&&i`<strong> It does not verify: <${m} text=${o.problem.replace(/\.$/,"")} />. Do not rely on it.</strong>`}</span>
  </p>`}Sn();Ce();Z();z();V();k();te();z();j();z();var No={recent:["Recent","late"],page:["Pages","table"],execution:["Executions","executions"],plan:["Plans","plans"],approval:["Approvals","approvals"],action:["Actions","running"],decision:["Decisions","check"],context:["Context","context"],person:["People and agents","person"],tool:["Tools","settings"]},gm=e=>/\s/.test(e)?`"${e}"`:e;function Sr(e){let{kind:t,id:n}=e;return e.path?x(e.path):t==="execution"?x(`/x/${n}`):t==="plan"?x(`/plans/${n}`):t==="approval"?x(`/approvals/${n}`):t==="action"?x(`/x/${e.execution_id}`,{action:n}):t==="decision"?x(`/x/${e.execution_id}`,{tab:"journal"}):t==="context"?x("/context",{text:n.split(" ").slice(1).join(" ")}):x("/executions",{q:`${t==="person"?"agent":"tool"}:${gm(n)}`})}var bm=/\b(since|until):(?:"([^"]*)"|(\S+))/gi,ym=/(?<![^\W_])(today|yesterday|last night)(?![^\W_])/gi;function gc(e){let t={},n=e.replace(bm,(o,r,s,a)=>{let l=s??a,c=qn(l);return r.toLowerCase()==="since"?t={...t,...c??{since:l}}:t={...t,until:c?.until??c?.since??l}," "});return n=n.replace(ym,(o,r)=>(t={...t,...qn(r)}," ")),{text:n.trim().replaceAll(/\s+/g," "),...t}}var xm=150,_m=/^(ex|pl|ap)_[a-z0-9]+$/,vm={ex:"execution",pl:"plan",ap:"approval"},yc=[["/","Home"],["/executions","Executions"],["/approvals","Approvals"],["/plans","Plans"],["/context","Context"],["/stats","Stats"],["/alerts","Alerts"],["/webhooks","Webhooks"],["/compare","Compare two executions"]];function xc({onClose:e}){let[t,n]=h(""),{found:o,searched:r,problem:s,pending:a}=wm(t),l=C(!1),[c,d]=h(0),u=C(null),p=Ee();_(()=>{let g=u.current;return g?.showModal(),()=>g?.close()},[]),_(()=>{d(0),l.current&&o[0]&&f(o[0]),l.current=!1},[o]),_(()=>u.current?.querySelector("[aria-selected=true]")?.scrollIntoView({block:"nearest"}),[c,o]);let f=g=>(e(),ae(Sr(g))),$=g=>{let M={ArrowDown:1,ArrowUp:-1}[g.key];if(M)d((c+M+o.length)%Math.max(o.length,1));else if(g.key==="Enter"&&a)l.current=!0;else if(g.key==="Enter"&&o[c])f(o[c]);else return;g.preventDefault()};return i`<dialog ref=${u} class="dialog palette" aria-label="Search" onCancel=${g=>(g.preventDefault(),e())} onClick=${g=>g.target===u.current&&e()}>
    <div class="palette-box">
      <div class="palette-input">
        <${S} name="search" />
        <input type="text" role="combobox" aria-label="Search everything" aria-expanded="true" aria-controls=${p} aria-activedescendant=${o.length?`${p}-${c}`:null}
          autofocus autocomplete="off" spellcheck="false" placeholder="Search executions, actions, approvals, people, …" value=${t}
          onInput=${g=>n(g.target.value)} onKeyDown=${$} />
        <button type="button" class="button button-ghost" onClick=${e}>Close</button>
      </div>
      <${L} problem=${s} />
      <div id=${p} class="palette-list" role="listbox" aria-label="Found">
        ${Sm(o).map(([g,M])=>i`<div role="group" aria-label=${No[g][0]} key=${g}>
          <div class="palette-kind" aria-hidden="true">${No[g][0]}</div>
          ${M.map(([w,y])=>i`<${Tm} key=${`${w.kind} ${w.id}`} id=${`${p}-${y}`} found=${w} chosen=${y===c} onOpen=${()=>f(w)} onPoint=${()=>d(y)} />`)}
        </div>`)}
      </div>
      <p class="palette-note soft" role="status">${a?"Searching…":o.length?i`<span class="visually-hidden">${o.length} found</span>`:r?"Nothing was found.":""}</p>
      <p class="palette-hints soft"><span><${Be} keys="↑ ↓" /> choose <${Be} keys="Enter" /> open</span><span>Times too: <code>yesterday</code> <code>last night</code> <code>since:16h</code></span></p>
    </div>
  </dialog>`}function wm(e){let t=ie(()=>[...ur().map(r=>({kind:"recent",id:r.path,...r})),...yc.map(([r,s])=>({kind:"page",id:r,path:r,title:s}))],[]),[n,o]=h({found:t,searched:!1,problem:null});return _(()=>{let r=gc(e);if(!r.text&&!r.since&&!r.until)return o({found:t,searched:!1,problem:null,of:e});let s=new AbortController,a=setTimeout(()=>km(r,s.signal).then(l=>s.signal.aborted||o({found:l,searched:!0,problem:null,of:e}),l=>s.signal.aborted||o({found:[],searched:!0,problem:l,of:e})),xm);return()=>(clearTimeout(a),s.abort())},[e]),{...n,pending:e!==(n.of??"")}}async function km(e,t){let n=_m.exec(e.text);if(n)return[{kind:vm[n[1]],id:e.text,title:e.text}];let o=yc.filter(([,s])=>e.text&&s.toLowerCase().startsWith(e.text.toLowerCase())).map(([s,a])=>({kind:"page",id:s,path:s,title:a}));return/[\p{L}\p{N}]/u.test(e.text)?[...o,...(await E("/v1/matches",e,{signal:t})).matches]:e.text?[]:(await E("/v1/executions",{since:e.since,until:e.until,limit:20},{signal:t})).executions.map(s=>({kind:"execution",id:s.id,title:s.title,at:s.started,who:s.actor}))}function Sm(e){let t=new Map;return e.forEach((n,o)=>t.set(n.kind,[...t.get(n.kind)??[],[n,o]])),[...t]}function Tm({id:e,found:t,chosen:n,onOpen:o,onPoint:r}){let s=t.snippet??[],a=t.title||t.id,l=s.length>0&&s.join("")===a,c=t.execution_title&&t.kind!=="execution"?t.execution_title:"";return i`<a role="option" id=${e} tabindex="-1" class="palette-option" href=${Sr(t)} aria-selected=${String(n)} onMouseMove=${r}
    onClick=${d=>{d.metaKey||d.ctrlKey||d.shiftKey||(d.preventDefault(),o())}}>
    <${S} name=${No[t.kind]?.[1]??"table"} />
    <span class="palette-what">
      <span class="palette-title cut">${l?i`<${bc} pieces=${s} />`:i`<${m} text=${a} />`}</span>
      ${s.length>0&&!l&&i`<span class="palette-snippet cut"><${bc} pieces=${s} /></span>`}
      ${(c||t.who)&&i`<span class="palette-where cut soft">${c&&i`<${m} text=${c} />`}${c&&t.who?" · ":""}${t.who&&i`<${m} text=${t.who} />`}</span>`}
    </span>
    ${t.at&&i`<span class="palette-at soft"><${N} at=${t.at} /></span>`}
  </a>`}function bc({pieces:e}){return e.map((t,n)=>n%2?i`<mark><${m} text=${t} /></mark>`:i`<${m} text=${t} />`)}Fe();et();j();var vc=[["/","Home","home","h"],["/executions","Executions","executions","e"],["/approvals","Approvals","approvals","a"],["/plans","Plans","plans","p"],["/context","Context","context","c"],["/stats","Stats","stats","s"]];function Tr({path:e,children:t}){let[n,o]=h(!1),[r,s]=h(!1),a=uc(),l=vc.map(([c,d,,u])=>[`g ${u}`,{label:`go to ${d.toLowerCase()}`,run:()=>ae(c)}]);return fe("Everywhere",{"?":{label:"show these shortcuts",run:()=>o(!0)},"/":{label:"search everything",run:()=>s(!0)},"Ctrl+k":{label:"search everything",run:()=>s(!0),typing:!0},f:{label:"filter this page",run:Ws},...Object.fromEntries(l),"g l":{label:"go to alerts",run:()=>ae("/alerts")}}),i`<${_r} value=${a}>
    <a class="skip" href="#main" data-native>Skip to the content</a>
    <header class="top">
      <a class="brand" href=${x("/")} aria-label="Tallystick, home"><${ao} /><span>Tallystick</span></a>
      <${Mm} />
      <${Em} path=${e} />
      <div class="top-end">
        <${v} kind="ghost" icon="search" aria-label="Search, Ctrl K" onClick=${()=>s(!0)}><span class="search-key">Ctrl K</span></${v}>
        <${Cm} />
        <${Om} />
        <${Im} onHelp=${()=>o(!0)} />
      </div>
    </header>
    <${hc} />
    <main id="main" tabindex="-1">${t}</main>
    <${er} />
    <${$c} />
    <${Dm} />
    ${r&&i`<${xc} onClose=${()=>s(!1)} />`}
    ${n&&i`<${Rm} onClose=${()=>o(!1)} />`}
  </${_r}>`}function Em({path:e}){let t=Io().data,n=!ke()&&t?.counts||{},o={"/":[ke()?0:zn(t),"need you"],"/approvals":[n.question_waits??0,"pending"]},r=s=>s==="/"?e==="/"||e==="/alerts":e.startsWith(s)||s==="/executions"&&e.startsWith("/x/");return i`<nav class="navigation" aria-label="Main">
    ${vc.map(([s,a,l])=>i`<a href=${x(s)} class="nav-link" aria-current=${r(s)?"page":null}>
        <${S} name=${l} /><span>${a}</span>
        ${o[s]?.[0]?i`<span class="nav-link-count tone-waiting"><span class="visually-hidden">, </span>${o[s][0]}<span class="visually-hidden"> ${o[s][1]}</span></span>`:null}
      </a>`)}
  </nav>`}function Mm(){let{shown:e,others:t}=mt();return e?t.length?i`<label class="journal-name"><${S} name="journal" /><span class="visually-hidden">Journal</span>
    <select value=${e} onChange=${n=>ae(`/?journal=${encodeURIComponent(n.target.value)}`)}>
      ${[e,...t].sort().map(n=>i`<option value=${n} selected=${n===e}>${n}</option>`)}
    </select>
  </label>`:i`<span class="journal-name" title="Journal"><${S} name="journal" /><span>${e}</span></span>`:null}function Cm(){let e=tt();return be("time")==="absolute"?i`<span class="zone" title="Time zone">${e}</span>`:null}var Am={live:["live","Live"],connecting:["offline","Connecting"],offline:["offline","Offline"]};function Om(){let e=sa(),[t,n]=Am[e];return i`<span class=${`connection connection-${e}`} role="status">
    <${S} name=${t} /><span>${n}</span>
  </span>`}var _c={theme:"Theme",density:"Density",time:"Times",zone:"Time zone"};function Im({onHelp:e}){let t=Ae(),n=tt();return i`<${ot} label="Settings" icon="settings" kind="ghost" end>
    <div class="settings">
      ${Object.keys(vn).map(o=>i`<${Lm} key=${o} name=${o} />`)}
      <p class="soft">Times are shown in ${n}.</p>
      <hr />
      <a class="menu-item" href=${x("/alerts")}><${S} name="warning" />Alerts</a>
      <a class="menu-item" href=${x("/compare")}><${S} name="compare" />Compare two executions</a>
      <a class="menu-item" href=${x("/webhooks")}><${S} name="export" />Webhooks</a>
      <a class="menu-item" href=${x("/import")}><${S} name="import" />Open an export</a>
      <button type="button" class="menu-item" data-close onClick=${e}><${S} name="keyboard" />Shortcuts <${Be} keys="?" /></button>
      ${t.person&&i`<${Nm} session=${t} />`}
      <p class="soft">Tallystick ${t.version}</p>
    </div>
  </${ot}>`}function Nm({session:e}){return i`<button type="button" class="menu-item" onClick=${async()=>{await fetch("/logout",{method:"POST",headers:{"Tallystick-CSRF":e.csrf}}),Zn(!0),location.assign("/login")}}><${S} name="person" />Log out ${e.name}</button>`}function Lm({name:e}){let t=be(e);return i`<div class="setting">
    <span>${_c[e]}</span>
    <${oe} label=${_c[e]} value=${t} choices=${vn[e]} onChange=${n=>Js(e,n)} />
  </div>`}function Rm({onClose:e}){let t=Fi();return i`<${Qe} title="Shortcuts" onClose=${e} wide>
    <div class="help">
      ${t.map(({group:n,keys:o})=>i`<section>
          <h3>${n}</h3>
          <dl>${o.map(([r,s])=>i`<div><dt><${Be} keys=${r} /></dt><dd>${s}</dd></div>`)}</dl>
        </section>`)}
    </div>
  </${Qe}>`}function Dm(){let e=Hi();return e?i`<div class="pending" role="status"><${Be} keys=${e} /> then…</div>`:null}et();j();var qu=()=>Promise.resolve().then(()=>(id(),rd)),Ib=[["/",async()=>vr,"Home"],["/executions",()=>Promise.resolve().then(()=>($d(),fd)),"Executions"],["/x/:id",async()=>$r,"Execution"],["/approvals",qu,"Approvals","approvals"],["/approvals/:id",qu,"Approvals","approvals"],["/alerts",()=>Promise.resolve().then(()=>(bd(),gd)),"Alerts"],["/webhooks",()=>Promise.resolve().then(()=>(wd(),vd)),"Webhooks"],["/context",()=>Promise.resolve().then(()=>(Ed(),Td)),"Context"],["/plans",()=>Promise.resolve().then(()=>(Cd(),Md)),"Plans"],["/plans/:id",()=>Promise.resolve().then(()=>(Ld(),Nd)),"Plan"],["/compare",()=>Promise.resolve().then(()=>(Fd(),zd)),"Compare"],["/stats",()=>Promise.resolve().then(()=>(fu(),pu)),"Stats"],["/replay/:id",()=>Promise.resolve().then(()=>(Ou(),Au)),"Replay"],["/import",()=>Promise.resolve().then(()=>(Du(),Ru)),"Import"]],Nb={module:()=>Promise.resolve().then(()=>(ju(),Pu)),params:{},title:"Not found",pageKey:""};function Lb(e){for(let[t,n,o,r]of Ib){let s=Li(t,e);if(s)return{module:n,params:s,title:o,pageKey:r}}return Nb}function Rb(){let{path:e,query:t}=Ii(),{module:n,params:o,title:r,pageKey:s}=Lb(e),[a,l]=h(null),c=t.get("journal")||"";we(()=>{Eo(r);let u=!1;return n().then(p=>u||l({module:n,Page:p.Page}),()=>u||l({module:n,Page:Db})),()=>{u=!0}},[n]),_(()=>ta(),[c]);let d=C(0);return Le(u=>{u===null&&(d.current+=1)>1&&dt()}),i`<${Tr} path=${e}>
    <${Bu} key=${(s||e)+c}>
      ${a?.module===n?i`<${a.Page} ...${o} query=${t} />`:i`<${B} />`}
    </${Bu}>
  </${Tr}>`}function Db(){return i`<div class="page"><${L} problem=${{message:"This view could not be loaded.",hint:"Is the server still running?"}} retry=${()=>location.reload()} /></div>`}function Bu({children:e}){let[t,n]=gs(o=>console.error(o));return t?i`<${L} problem=${{message:"This view failed.",hint:String(t)}} retry=${n} />`:i`<${lt}>${e}</${lt}>`}Na();Zn();Ri();oa();Ui();Pi();cs(i`<${Rb} />`,document.getElementById("app"));
